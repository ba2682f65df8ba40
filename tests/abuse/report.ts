import type { AbuseResult } from "./run.ts";
import { maxResidentBytes } from "./run.ts";

/** Maximum response time of 99% of the other key's requests, on a processor of the usual speed without other programs. */
const maxP99Ms = 250;
/** If other programs use more than this share, measured times are meaningless, and the limit grows no further. */
const maxOthersLoad = 0.9;

export const tableHead = [
  "| route | worst case | other key's p99 | of | service's CPU | time | most memory | other programs | answered |",
  "|---|---|---|---|---|---|---|---|---|",
];

export function formatRow(result: AbuseResult): string {
  const { route, name, p99Ms, smallAnswers, cpuMs, durationMs, residentBytes, othersLoad, outcomes } = result;
  const answered = Object.entries(outcomes).map(([outcome, count]) => `${count} × ${outcome}`);
  const times = [`${Math.round(p99Ms)} ms`, smallAnswers, seconds(cpuMs), seconds(durationMs)];
  const cells = [
    route,
    name,
    ...times,
    megabytes(residentBytes),
    `${Math.round(othersLoad * 100)} %`,
    answered.join(", "),
  ];
  return `| ${cells.join(" | ")} |`;
}

/** The worst values of a run. */
export function formatSummary(results: readonly AbuseResult[]): string {
  const slowest = results.toSorted((one, other) => other.p99Ms - one.p99Ms)[0];
  const largest = Math.max(0, ...results.map(({ residentBytes }) => residentBytes));
  const requests = results.flatMap(({ outcomes }) => Object.values(outcomes)).reduce((sum, count) => sum + count, 0);
  const othersMs = sumOthersMs(results);
  const totalMs = results.reduce((sum, { durationMs }) => sum + durationMs, 0);
  return [
    `${results.length} cases with ${requests} requests`,
    `the slowest p99 of the other key ${Math.round(slowest?.p99Ms ?? 0)} ms (${slowest?.route}, ${slowest?.name})`,
    `at most ${megabytes(largest)}`,
    `other programs took ${Math.round((othersMs / totalMs) * 100)} % of the machine`,
  ].join(", ");
}

/** The part of a run's time that other programs took. */
export function sumOthersMs(results: readonly AbuseResult[]): number {
  return results.reduce((sum, { othersLoad, durationMs }) => sum + othersLoad * durationMs, 0);
}

/** Failures other than times, because a busy machine takes longer. */
export function listFailures({ failures, residentBytes, outcomes }: AbuseResult): string[] {
  const unanswered = Object.keys(outcomes).filter((outcome) => !/^[2-4]\d\d$|^503$|^left$/.test(outcome));
  return [
    ...unanswered.map((outcome) => `answered with ${outcome}`),
    ...(failures.length > 0 ? [`the other key's requests failed: ${[...new Set(failures)].join(", ")}`] : []),
    ...(residentBytes > maxResidentBytes ? [`${megabytes(residentBytes)} of memory`] : []),
  ];
}

/**
 * All failures, including times, which are adjusted for the CPU time taken by other programs.
 *
 * @param slowness how many times slower the processor is than the one of the limit
 */
export function listAllFailures(result: AbuseResult, slowness: number): string[] {
  // The service only has the remaining CPU time, and everything takes accordingly longer.
  const maxMs = (slowness * maxP99Ms) / (1 - Math.min(maxOthersLoad, result.othersLoad));
  const waited = `the other key waited for ${Math.round(result.p99Ms)} ms (limit: ${Math.round(maxMs)} ms)`;
  const late = result.p99Ms > maxMs ? [waited] : [];
  const held = result.longTurns.map((turn) => `it held the event loop for ${turn}`);
  return [...listFailures(result), ...late, ...held];
}

const seconds = (milliseconds: number) => `${(milliseconds / 1_000).toFixed(1)} s`;
const megabytes = (bytes: number) => `${Math.round(bytes / 1e6)} MB`;
