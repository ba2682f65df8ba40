// Measures the cost of one unit of each workload, which `npm run capacity` multiplies: node bench/capacity.ts
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { startListingSite } from "@agent-backends/testing";
import { describeMachine } from "./harness/machine.ts";
import { benchDirectory } from "./harness/paths.ts";
import type { Server } from "./harness/processes.ts";
import { allCores, cpuMicros, memory } from "./harness/processes.ts";
import { search, untilFirst, upload } from "./knowledge/client.ts";
import { createRandom, makeQuestion, makeText } from "./knowledge/corpus.ts";
import { fillNamespace } from "./knowledge/fill.ts";
import { makeStore, pooled, startKnowledge, startProvider, untilIdle } from "./knowledge/servers.ts";
import { startListing } from "./listing/servers.ts";

const namespaces = 20;
/** Number of paragraphs of each namespace and document, which have about as many chunks. */
const paragraphs = 500;
const questions = 500;
const warmUpQuestions = 200;
const storedChunks = 10_000;
/** Enough to make the cost of start-up and background work negligible, but few enough for a run of a quarter of an hour. */
const documents = 40;

/** CPU time of a server per unit of work, for `count` units and all its threads, in microseconds. */
async function measureCost(
  { pid }: { pid: number },
  count: number,
  work: (turn: number) => Promise<unknown>,
): Promise<number> {
  const before = cpuMicros(pid);
  for (let turn = 0; turn < count; turn++) await work(turn);
  return (cpuMicros(pid) - before) / count;
}

const anyLine = () => true;

async function measureKnowledge(provider: Server) {
  const store = await makeStore();
  const service = await startKnowledge(store.path, pooled(provider));
  const startedBytes = memory(service.pid).now;
  const toNamespace = (number: number) => `customer-${number % namespaces}`;
  for (let number = 0; number < namespaces; number++) {
    await upload(service, toNamespace(number), { name: "base.txt", text: makeText(number, { paragraphs }) });
  }
  await untilIdle(service);
  const random = createRandom(1);
  const searchOne = (turn: number) => search(service, toNamespace(turn), makeQuestion(random));
  for (let turn = 0; turn < warmUpQuestions; turn++) await searchOne(turn);
  const searchMicros = await measureCost(service, questions, searchOne);
  const answerMicros = await measureCost(service, questions, (turn) => {
    const messages = [{ role: "user", content: makeQuestion(random) }];
    const body = { thread_id: `t${turn}`, run_id: `r${turn}`, namespace: toNamespace(turn), messages };
    return untilFirst(`${service.baseUrl}/stream`, body, anyLine);
  });
  let chunks = 0;
  const beforeIngest = cpuMicros(service.pid);
  for (let number = 0; number < documents; number++) {
    const text = makeText(1_000 + number, { paragraphs });
    chunks += await upload(service, "ingest", { name: `${number}.txt`, text });
  }
  await untilIdle(service);
  const chunkMicros = (cpuMicros(service.pid) - beforeIngest) / chunks;
  const residentBytes = memory(service.pid).now;
  await service.close();
  await store.remove();
  return {
    searchMicros,
    answerMicros,
    chunkMicros,
    chunkBytes: await measureChunkBytes(),
    startedBytes,
    residentBytes,
  };
}

/** Disk usage of a chunk after its namespace was cleaned up: text, vector, and index. */
async function measureChunkBytes(): Promise<number> {
  const store = await makeStore();
  await fillNamespace(store.path, "default", storedChunks, 1);
  const kilobytes = Number(execFileSync("du", ["-sk", store.path], { encoding: "utf8" }).split("\t")[0]);
  await store.remove();
  return (kilobytes * 1024) / storedChunks;
}

async function measureListing(provider: Server) {
  const site = await startListingSite();
  const service = await startListing(site, provider.baseUrl, allCores);
  const ask = () => {
    const messages = [{ role: "user", content: "What were the top 3 launches yesterday?" }];
    return untilFirst(`${service.baseUrl}/agent`, { messages }, anyLine);
  };
  for (let turn = 0; turn < warmUpQuestions; turn++) await ask();
  const answerMicros = await measureCost(service, questions, ask);
  const residentBytes = memory(service.pid).now;
  await service.close();
  await site.close();
  return { answerMicros, residentBytes };
}

const provider = await startProvider();
const costs = {
  measuredAt: new Date().toISOString(),
  machine: describeMachine([]),
  knowledge: await measureKnowledge(provider),
  listing: await measureListing(provider),
};
await provider.close();
writeFileSync(join(benchDirectory, "results/capacity.json"), `${JSON.stringify(costs, null, 2)}\n`);
process.stdout.write(`${JSON.stringify(costs, null, 2)}\n`);
process.exit(0);
