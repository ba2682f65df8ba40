import { execFile, execFileSync } from "node:child_process";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { benchDirectory, buildDirectory } from "../../harness/paths.ts";
import type { Server } from "../../harness/processes.ts";
import { cpuMicrosOfAllThreads } from "../../harness/processes.ts";
import { upload } from "../client.ts";
import { makeText } from "../corpus.ts";
import { makeStore, pooled, startKnowledge } from "../servers.ts";
import type { Scenario } from "./scenario.ts";

const peersDirectory = join(benchDirectory, "peers", "knowledge");
const wholeMegabytes = 20;
const warmUpBytes = 2_000_000;
const run = promisify(execFile);

/** Number of a text's chunks stored per second, from sending the text until it is known to be stored. */
export const ingest: Scenario = {
  title: "A text of 20 MB",
  metrics: {
    knowledge: { title: "chunks stored, durable", unit: "/s", digits: 0, goal: { atLeast: 13_000 } },
    lancedb: { title: "LangChain.js with LanceDB, not durable", unit: "/s", digits: 0 },
    memory: { title: "LangChain.js in memory", unit: "/s", digits: 0 },
    timesLancedb: {
      title: "times LangChain.js with LanceDB, within each pair",
      unit: "",
      digits: 2,
      goal: { atLeast: 3 },
    },
    timesMemory: { title: "times LangChain.js in memory, within each pair", unit: "", digits: 2, goal: { atLeast: 1 } },
    knowledgeMegabytes: { title: "text stored, durable", unit: "MB/s", digits: 1 },
    knowledgeCpu: { title: "processor time of a chunk, all threads", unit: "µs", digits: 0 },
    lancedbCpu: { title: "the same, LangChain.js with LanceDB", unit: "µs", digits: 0 },
    memoryCpu: { title: "the same, LangChain.js in memory", unit: "µs", digits: 0 },
  },
  async measure({ pairs, scale, peers }, given, report) {
    const provider = pooled(given);
    const megabytes = wholeMegabytes * scale;
    if (peers) installPeers();
    for (let pair = 0; pair < pairs; pair++) {
      const text = makeText(1_000 + pair, { bytes: megabytes * 1_000_000 });
      const measured: Record<string, Ingested> = {};
      const subjects = {
        knowledge: () => throughKnowledge(text, provider),
        ...(peers && {
          lancedb: () => throughLangChain("lancedb", text, provider),
          memory: () => throughLangChain("memory", text, provider),
        }),
      };
      // Alternate the order, so that other activity on the machine affects all subjects.
      const order = Object.entries(subjects);
      for (const [name, subject] of pair % 2 === 0 ? order : order.reverse()) measured[name] = await subject();
      const { knowledge = nothing, lancedb = nothing, memory = nothing } = measured;
      report({
        ...Object.fromEntries(Object.entries(measured).map(([name, { perSecond }]) => [name, perSecond])),
        ...Object.fromEntries(Object.entries(measured).map(([name, one]) => [`${name}Cpu`, one.cpuMicros])),
        knowledgeMegabytes: (knowledge.perSecond / knowledge.chunks) * megabytes,
        timesLancedb: knowledge.perSecond / lancedb.perSecond,
        timesMemory: knowledge.perSecond / memory.perSecond,
      });
    }
  },
};

interface Ingested {
  chunks: number;
  perSecond: number;
  /** CPU time per chunk. */
  cpuMicros: number;
}

const nothing: Ingested = { chunks: Number.NaN, perSecond: Number.NaN, cpuMicros: Number.NaN };

async function throughKnowledge(text: string, provider: Server): Promise<Ingested> {
  const store = await makeStore();
  const service = await startKnowledge(store.path, provider);
  await upload(service, "warm-up", { name: "warm-up.txt", text: makeText(1, { bytes: warmUpBytes }) });
  const usedBefore = cpuMicrosOfAllThreads(service.pid);
  const begun = performance.now();
  const chunks = await upload(service, "default", { name: "text.txt", text });
  const perSecond = (chunks / (performance.now() - begun)) * 1_000;
  const used = cpuMicrosOfAllThreads(service.pid) - usedBefore;
  await service.close();
  await store.remove();
  return { chunks, perSecond, cpuMicros: used / chunks };
}

async function throughLangChain(kind: "lancedb" | "memory", text: string, provider: Server): Promise<Ingested> {
  const store = await makeStore();
  const [file, warmUp] = [join(store.path, "text.txt"), join(store.path, "warm-up.txt")];
  writeFileSync(file, text);
  writeFileSync(warmUp, makeText(1, { bytes: warmUpBytes }));
  const { stdout } = await run(process.execPath, [join(peersDirectory, "langchain.mjs"), kind, warmUp, file], {
    cwd: buildDirectory,
    env: { PATH: process.env.PATH, LLM_BASE_URL: provider.baseUrl, STORE: store.path },
  });
  await store.remove();
  return JSON.parse(stdout) as Ingested;
}

/** Installs the peers for comparison from their own lock file, unless they are installed. */
function installPeers(): void {
  if (existsSync(join(peersDirectory, "node_modules"))) return;
  const args = ["ci", "--ignore-scripts", "--legacy-peer-deps", "--no-audit", "--no-fund"];
  execFileSync("npm", args, { cwd: peersDirectory, stdio: "inherit" });
}
