import type { AbuseResult } from "./run.ts";
import { maxResidentBytes } from "./run.ts";

/** The other key's requests take at most this long, but for one in a hundred. */
const maxP99Ms = 250;

/** A line of the table. */
export function rowOf({ route, name, p99Ms, residentBytes, outcomes }: AbuseResult): string {
  const answered = Object.entries(outcomes).map(([outcome, count]) => `${count} × ${outcome}`);
  return `| ${route} | ${name} | ${Math.round(p99Ms)} ms | ${megabytes(residentBytes)} | ${answered.join(", ")} |`;
}

/** What did not hold, but for the times: a busy machine takes longer. */
export function failuresOf({ failures, residentBytes, outcomes }: AbuseResult): string[] {
  const unanswered = Object.keys(outcomes).filter((outcome) => !/^[2-4]\d\d$|^503$|^left$/.test(outcome));
  return [
    ...unanswered.map((outcome) => `answered with ${outcome}`),
    ...(failures.length > 0 ? [`the other key's requests failed: ${[...new Set(failures)].join(", ")}`] : []),
    ...(residentBytes > maxResidentBytes ? [`${megabytes(residentBytes)} of memory`] : []),
  ];
}

/** The same, with the times. */
export function allFailuresOf(result: AbuseResult): string[] {
  const late = result.p99Ms > maxP99Ms ? [`the other key waited for ${Math.round(result.p99Ms)} ms`] : [];
  return [...failuresOf(result), ...late];
}

const megabytes = (bytes: number) => `${Math.round(bytes / 1e6)} MB`;
