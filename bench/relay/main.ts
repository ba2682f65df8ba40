/**
 * Measures the relay beside its peers.
 *
 *   node bench/relay/main.ts [--pairs 5] [--scenarios burst,short,…] [--peers express,nest,…] [--min-seconds 2]
 *                            [--idle-streams 9500]
 *
 * A scenario that leaves nothing out is recorded in bench/results/relay.json and docs/benchmarks.md; any other is printed.
 */
import { existsSync } from "node:fs";
import { freePorts } from "@agent-backends/testing";
import type { Server } from "../harness/processes.ts";
import { cores, startProgram } from "../harness/processes.ts";
import type { Provider } from "../harness/provider.ts";
import { startProvider } from "../harness/provider.ts";
import { readOptions } from "./options.ts";
import { report } from "./report.ts";
import type { Measurements } from "./results.ts";
import { scenarios } from "./scenarios/index.ts";
import type { Measurement, Scenario, ScenarioSettings } from "./scenarios/scenario.ts";
import { startServer } from "./server.ts";
import type { Subject } from "./subjects.ts";
import { installPeers, subjects } from "./subjects.ts";

const options = readOptions(process.argv.slice(2));
installPeers();
const chosen = subjects.filter(({ name, needs }) => {
  if (!options.subjects.includes(name)) return false;
  if (!existsSync(needs.file)) say(`${name} is left out. ${needs.otherwise}`);
  return existsSync(needs.file);
});

const provider = await startProvider();
const redis = await startRedis();
for (const name of options.scenarios) {
  const scenario = scenarios[name];
  if (!scenario) continue;
  const measurements: Measurements = {};
  for (let pair = 0; pair < options.pairs; pair++) {
    for (const subject of rotated(chosen, pair)) {
      if (scenario.without?.includes(subject.name)) continue;
      const measurement = await measure(scenario, subject, provider, options);
      measurements[subject.name] = [...(measurements[subject.name] ?? []), measurement];
      say(`${name} ${pair + 1}/${options.pairs} ${subject.name}: ${shown(measurement)}`);
    }
  }
  report(name, options, measurements);
}
await provider.close();
await redis?.close();

/** Starts the Redis server of relays that keep runs there, without a disk. Returns undefined if it isn't installed. */
async function startRedis(): Promise<Server | undefined> {
  const command = "/usr/bin/redis-server";
  if (!existsSync(command)) return undefined;
  const [port = 0] = await freePorts(1);
  const args = ["--port", String(port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"];
  return startProgram({ command, args }, cores.load, port);
}

/**
 * Starts a fresh server each time, so that no scenario pays for another one's garbage. If a server breaks, its measurement has failed,
 * and the others continue.
 */
async function measure(
  scenario: Scenario,
  subject: Subject,
  provider: Provider,
  settings: ScenarioSettings,
): Promise<Measurement> {
  try {
    const server = await startServer(subject, provider, redis?.port ?? 0);
    try {
      return await scenario.measure(server, settings);
    } finally {
      await server.close();
    }
  } catch (error) {
    say(`${subject.name} broke: ${error instanceof Error ? error.message : String(error)}`);
    return { values: {}, failures: { broke: 1 } };
  }
}

/** Starts with another subject in each pair, so that a subject doesn't always follow the same one. */
function rotated<Item>(items: readonly Item[], by: number): Item[] {
  const start = by % Math.max(items.length, 1);
  return [...items.slice(start), ...items.slice(0, start)];
}

function shown({ values, failures }: Measurement): string {
  const numbers = Object.entries(values)
    .filter(([, value]) => Number.isFinite(value))
    .map(([name, value]) => `${name} ${Number(value.toPrecision(4))}`);
  const failed = Object.entries(failures).map(([kind, count]) => `${count} ${kind}`);
  return [...numbers, failed.length > 0 ? `FAILED ${failed.join(", ")}` : "no failures"].join(", ");
}

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}
