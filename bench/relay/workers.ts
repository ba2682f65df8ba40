// Measures the gain of a second worker: node bench/relay/workers.ts [--seconds 4]
import { createHash } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parseArgs } from "node:util";
import { freePorts } from "@agent-backends/testing";
import { buildDirectory } from "../harness/paths.ts";
import { allCores, cpuMicros, startProgram } from "../harness/processes.ts";
import { startProvider } from "../harness/provider.ts";
import { startLoad } from "./load.ts";
import { parseNumber } from "./options.ts";
import type { Plan } from "./request.ts";
import { subjects } from "./subjects.ts";

const { values } = parseArgs({ options: { seconds: { type: "string", default: "4" } } });
const minSeconds = parseNumber("seconds", values.seconds);

const key = "benchmark";
const keysFile = join(buildDirectory, "keys.json");
const sha256 = createHash("sha256").update(key).digest("hex");
const scenarios: { title: string; plan: Plan; variables: Record<string, string>; headers?: Record<string, string> }[] =
  [
    { title: "runs of 2 000 tokens", plan: { tokens: 2_000 }, variables: {} },
    { title: "runs of 20 tokens", plan: { tokens: 20 }, variables: {} },
    {
      title: "runs of 20 tokens with a key, whose rate and slots are counted together",
      plan: { tokens: 20 },
      variables: { AUTH_KEYS_FILE: keysFile, RATE_LIMIT_PER_KEY: "100000000" },
      headers: { "X-API-Key": key },
    },
  ];

const concurrency = 64;
const settleMs = 500;

const provider = await startProvider();
const express = subjects.find(({ name }) => name === "express");
if (!express?.start) throw new Error("There is no relay to measure");
writeFileSync(keysFile, JSON.stringify({ keys: [{ name: key, scopes: ["ask"], namespaces: ["*"], sha256 }] }));
for (const { title, plan, variables, headers } of scenarios) {
  const perSecond: number[] = [];
  for (const workers of [1, 2]) {
    const [port = 0] = await freePorts(1);
    const { environment, ...command } = express.start(port, provider.port, 0);
    const limits = { WORKERS: String(workers), LOG_LEVEL: "warn", MAX_STREAMS_PER_KEY: "10000", ...variables };
    const program = { ...command, environment: { ...environment, ...limits } };
    const server = await startProgram(program, allCores, port);
    await delay(settleMs);
    const subject = { ...express, ...(headers && { headers: () => headers }) };
    const load = (seconds: number, tokens: number) =>
      startLoad(subject, port, provider, { ...plan, tokens }, { concurrency, runs: 0, minSeconds: seconds }).finished;
    await load(minSeconds / 2, Math.min(plan.tokens, 208));
    const before = cpuMicros(server.pid);
    const result = await load(minSeconds, plan.tokens);
    const cpu = cpuMicros(server.pid) - before;
    const rate = result.completed / result.seconds;
    perSecond.push(rate);
    const failed = Object.values(result.failures).reduce((sum, count) => sum + count, 0);
    process.stdout.write(
      `${title}, ${workers} worker${workers > 1 ? "s" : ""}: ${Math.round(rate)} runs/s, ${Math.round(cpu / result.completed)} µs of CPU a run,` +
        ` ${(cpu / 1e6 / result.seconds).toFixed(2)} cores used, ${failed} failed\n`,
    );
    await server.close();
  }
  const [one = Number.NaN, two = Number.NaN] = perSecond;
  process.stdout.write(`${title}: ${(two / one).toFixed(2)} ×\n`);
}
await provider.close();
