import { readFileSync } from "node:fs";
import { slope } from "../relay/statistics.ts";

/** What report.mjs writes: bytes, seconds since the service began, and open handles by their kind. */
export interface Sample {
  seconds: number;
  rss: number;
  heapUsed: number;
  external: number;
  handles: Record<string, number>;
}

/** The first part of a soak compiles code and fills pools and caches: it says nothing about growth. */
const warmUpShare = 0.3;

export function readSamples(file: string): Sample[] {
  return readFileSync(file, "utf8")
    .split("\n")
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Sample);
}

/** The trend of the heap after the warm-up, in MB a minute. */
export function heapSlope(samples: readonly Sample[]): number {
  const steady = samples.slice(Math.ceil(samples.length * warmUpShare));
  return (slope(steady.map(({ seconds, heapUsed }) => ({ x: seconds, y: heapUsed }))) * 60) / 1e6;
}

export const handleCount = ({ handles }: Sample): number =>
  Object.values(handles).reduce((sum, count) => sum + count, 0);
