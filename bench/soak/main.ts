/**
 * Runs all services for a long time under a mixed load with faults, and reports whether anything fails or grows.
 *
 *   npm run bench:soak -- [--minutes 10] [--clients 4]
 *
 * The exit code is 1 if there was an unexpected failure, if heap and buffers grow by 1 MB or more per minute, or if handles stay open.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import type { Behaviour, ServiceName } from "@agent-backends/testing";
import { serviceMains, startService } from "@agent-backends/testing";
import { slope } from "../harness/statistics.ts";
import { closeConnections } from "./client.ts";
import { operations } from "./operations.ts";
import { startStandIns } from "./stand-ins.ts";

const { values } = parseArgs({
  options: { minutes: { type: "string", default: "10" }, clients: { type: "string", default: "4" } },
});
const minutes = Number(values.minutes);
const clients = Number(values.clients);
if (!(minutes > 0) || !(clients > 0)) throw new Error("--minutes and --clients must be numbers above 0");

const sampleMs = 1_000;
/** Pause between two requests of a client. It keeps the load steady and below the machine's maximum. */
const requestPauseMs = 20;
const siteChangesMs = 5_000;
/** Idle connections of clients and providers are closed within this time after the load. */
const settleMs = 20_000;
const tolerableSlope = 1;

/** The first part of a soak test compiles code and fills pools and caches, so it says nothing about growth. */
const warmUpShare = 0.3;

const root = join(import.meta.dirname, "../..");
const folder = mkdtempSync(join(tmpdir(), "agent-backends-soak-"));
const { provider, site } = await startStandIns();
const names = Object.keys(serviceMains) as ServiceName[];
const soaked = await Promise.all(names.map(startSoaked));

const siteBehaviours: Behaviour[] = [
  { kind: "well" },
  { kind: "down" },
  { kind: "html" },
  { kind: "limited", resetSeconds: 1 },
  { kind: "errors" },
];
const siteChanges = setInterval(() => {
  site.behaviour = siteBehaviours[Math.floor(Math.random() * siteBehaviours.length)] ?? { kind: "well" };
}, siteChangesMs);

await sleep(3 * sampleMs);
const atStart = soaked.map(({ file }) => readSamples(file).at(-1));
const end = performance.now() + minutes * 60_000;
await Promise.all(soaked.flatMap((service) => Array.from({ length: clients }, () => useUntilEnd(service))));
clearInterval(siteChanges);
const afterLoad = soaked.map(({ file }) => readSamples(file));
closeConnections();

let failed = false;
for (const [index, { name, file, requests, failures, service }] of soaked.entries()) {
  const start = atStart[index];
  const last = await settled(file, start);
  const slope = heapSlope((afterLoad[index] ?? []).slice(3));
  const left = start && last ? handleCount(last) - handleCount(start) : Number.NaN;
  const unexpected = [...failures.values()].reduce((sum, count) => sum + count, 0);
  say(
    `${name}: ${requests()} requests, ${unexpected} unexpected failures, heap and buffers ${slope.toFixed(2)} MB a minute, ${left} handles more than at the start`,
  );
  for (const [what, count] of failures) say(`  ${count} × ${what}`);
  if (left !== 0)
    say(`  open at the start ${JSON.stringify(start?.handles)}, at the end ${JSON.stringify(last?.handles)}`);
  const exit = await service.end();
  if (exit !== 0) say(`  ended with ${exit}`);
  failed ||= unexpected > 0 || !(slope < tolerableSlope) || !(left <= 0) || exit !== 0;
}
await Promise.all([provider.close(), site.close()]);
rmSync(folder, { recursive: true, force: true });
say(failed ? "FAILED" : "passed");
process.exit(failed ? 1 : 0);

async function startSoaked(name: ServiceName) {
  const file = join(folder, `${name}.jsonl`);
  writeFileSync(file, "");
  const service = await startService(
    join(root, serviceMains[name]),
    {
      LLM_BASE_URL: provider.baseUrl,
      ...site.variables,
      LISTING_CACHE_TTL_MS: "500",
      KNOWLEDGE_STORE: join(folder, "store"),
      METRICS_PORT: "0",
      SOAK_FILE: file,
      SOAK_INTERVAL_MS: String(sampleMs),
    },
    { nodeArguments: ["--expose-gc", "--import", join(import.meta.dirname, "report-memory.mjs")], keepsLog: false },
  );
  let count = 0;
  return {
    name,
    file,
    service,
    failures: new Map<string, number>(),
    counted: () => {
      count += 1;
    },
    requests: () => count,
  };
}

/**
 * A line written by report-memory.mjs: bytes after a full garbage collection, seconds since the process started, and open handles by
 * kind.
 */
interface Sample {
  seconds: number;
  heapUsed: number;
  external: number;
  handles: Record<string, number>;
}

function readSamples(file: string): Sample[] {
  const lines = readFileSync(file, "utf8").split("\n");
  return lines.filter(Boolean).map((line) => JSON.parse(line) as Sample);
}

async function useUntilEnd({ name, service, failures, counted }: Awaited<ReturnType<typeof startSoaked>>) {
  const possible = operations[name];
  while (performance.now() < end) {
    const operation = possible[Math.floor(Math.random() * possible.length)];
    const unexpected = await operation?.(service.baseUrl).catch((error: unknown) => String(error));
    counted();
    if (unexpected !== undefined) failures.set(unexpected, (failures.get(unexpected) ?? 0) + 1);
    await sleep(requestPauseMs);
  }
}

/** The first sample with at most as many handles as at the start, or the last sample before the deadline. */
async function settled(file: string, start: Sample | undefined): Promise<Sample | undefined> {
  const deadline = performance.now() + settleMs;
  for (;;) {
    await sleep(sampleMs);
    const last = readSamples(file).at(-1);
    if (!last || !start || handleCount(last) <= handleCount(start) || performance.now() > deadline) return last;
  }
}

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** The trend of the heap and of external buffers after the warm-up, in MB per minute. */
function heapSlope(samples: readonly Sample[]): number {
  const steady = samples.slice(Math.ceil(samples.length * warmUpShare));
  return (slope(steady.map(({ seconds, heapUsed, external }) => ({ x: seconds, y: heapUsed + external }))) * 60) / 1e6;
}

function handleCount({ handles }: Sample): number {
  return Object.values(handles).reduce((sum, count) => sum + count, 0);
}
