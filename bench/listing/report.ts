import type { Row, Run } from "../harness/recording.ts";
import { goalTable, sayRun } from "../harness/recording.ts";
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

interface Report extends Run {
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

/** The results as Markdown. */
export const makeText = (report: Report): string => `${sayRun(report)}\n\n${goalTable(rowsOf(report))}`;

function rowsOf({ connections, payloadBytes, streams, ...report }: Report): Row[] {
  const rate = { unit: "requests/s", digits: 0 };
  const delay = { unit: "ms", digits: 2 };
  const cpu = { unit: "µs", digits: 1 };
  const words = `${streams.count} \`/agent\` streams, a word every ${streams.gapMs} ms each`;
  return [
    {
      title: `cached \`/tools/top\`, ${connections} connections, ${payloadBytes} bytes`,
      ...rate,
      goal: { atLeast: 15_000 },
      value: report.requestsPerSecond,
    },
    { title: "the same payload from a bare fastify route", ...rate, value: report.bareRequestsPerSecond },
    {
      title: "share of the bare route, within each pair",
      unit: "",
      digits: 2,
      goal: { atLeast: 0.9 },
      value: report.shareOfBare,
    },
    { title: "CPU time of a request", ...cpu, value: report.cpuPerRequestMicros },
    { title: "of one to the bare route", ...cpu, value: report.bareCpuPerRequestMicros },
    { title: `added to each word, p50; ${words}`, ...delay, value: report.addedP50Ms },
    { title: "the same, p99", ...delay, goal: { atMost: 3 }, value: report.addedP99Ms },
    { title: "CPU time of a word, with its share of its stream's beginning", ...cpu, value: report.cpuPerWordMicros },
  ];
}
