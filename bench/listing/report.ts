import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describeMachine } from "../harness/machine.ts";
import { benchDirectory, pageFile } from "../harness/paths.ts";
import type { Summary } from "../harness/statistics.ts";
import type { Streams } from "./streams.ts";

/** One pair: each server once, and the provider's words with and without the service between. */
export interface Measurement {
  listing: Requests;
  bare: Requests;
  direct: Delays;
  through: Delays & { cpu: number };
}

interface Requests {
  perSecond: number;
  /** CPU time of one, in microseconds. */
  cpu: number;
}

/** In milliseconds. */
interface Delays {
  p50: number;
  p99: number;
}

type Value = Summary | undefined;

interface Report {
  pairs: number;
  seconds: number;
  connections: number;
  streams: Streams;
  payloadBytes: number;
  requestsPerSecond: Value;
  bareRequestsPerSecond: Value;
  shareOfBare: Value;
  cpuPerRequestMicros: Value;
  bareCpuPerRequestMicros: Value;
  addedP50Ms: Value;
  addedP99Ms: Value;
  /** Of a word, with its share of what its stream's beginning and end take. */
  cpuPerWordMicros: Value;
}

const resultsFile = join(benchDirectory, "results", "listing.json");
const mark = "<!-- listing -->";

/** The results as Markdown. */
export function makeText(report: Report): string {
  const machine = describeMachine([]);
  return [
    `Measured ${new Date().toISOString().slice(0, 10)}, ${report.pairs} pairs. ${machine.processor}, ${machine.cores} cores, Node ${machine.node}; ${machine.pinning}.`,
    table(report),
  ].join("\n\n");
}

/** Writes the results as JSON, and as Markdown between the marks of the page about benchmarks. */
export function record(report: Report): void {
  mkdirSync(dirname(resultsFile), { recursive: true });
  const results = { measuredAt: new Date().toISOString(), machine: describeMachine([]), ...report };
  writeFileSync(resultsFile, `${JSON.stringify(results, undefined, 2)}\n`);
  const page = readFileSync(pageFile, "utf8").split(mark);
  if (page.length !== 3) throw new Error(`${pageFile} has no place for the results: it needs ${mark} twice.`);
  writeFileSync(pageFile, [page[0], `\n\n${makeText(report)}\n\n`, page[2]].join(mark));
}

function table(report: Report): string {
  const { connections, payloadBytes, streams } = report;
  const rows = [
    [
      `cached \`/tools/top\`, ${connections} connections, ${payloadBytes} bytes`,
      shown(report.requestsPerSecond, 0),
      "requests/s",
      "≥ 15 000",
    ],
    ["the same payload from a bare fastify route", shown(report.bareRequestsPerSecond, 0), "requests/s", ""],
    ["share of the bare route, within each pair", shown(report.shareOfBare, 2), "", "≥ 0.80"],
    ["CPU time of a request", shown(report.cpuPerRequestMicros, 1), "µs", ""],
    ["of one to the bare route", shown(report.bareCpuPerRequestMicros, 1), "µs", ""],
    [
      `added to each word, p50; ${streams.count} \`/agent\` streams, a word every ${streams.gapMs} ms each`,
      shown(report.addedP50Ms, 2),
      "ms",
      "",
    ],
    ["the same, p99", shown(report.addedP99Ms, 2), "ms", "≤ 3"],
    ["CPU time of a word, with its share of its stream's beginning", shown(report.cpuPerWordMicros, 1), "µs", ""],
  ];
  return [["", "median (min to max)", "", "goal"], ["---", "--:", "---", "--:"], ...rows]
    .map((cells) => `| ${cells.join(" | ")} |`)
    .join("\n");
}

function shown(value: Value, digits: number): string {
  if (value === undefined) return "–";
  const [median, min, max] = [value.median, value.min, value.max].map((one) =>
    one.toLocaleString("en-GB", { minimumFractionDigits: digits, maximumFractionDigits: digits }),
  );
  return `${median} (${min} to ${max})`;
}
