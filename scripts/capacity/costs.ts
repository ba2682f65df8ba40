import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Costs } from "./plan.ts";

const read = (name: string) =>
  JSON.parse(readFileSync(join(import.meta.dirname, `../../bench/results/${name}.json`), "utf8"));

/** Measurements of each pair of runs. */
type Subject = { values: Record<string, number> }[];

function getMedian(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

/** Median over all pairs of a metric of the Express relay. */
const median = ({ subjects: { express } }: { subjects: { express: Subject } }, metric: string): number =>
  getMedian(express.map(({ values }) => values[metric] ?? Number.NaN));

/**
 * The relay's token rate in a burst, alone and as a multiple of the usual tutorial's rate: both are medians, the second one of the ratios
 * within each pair.
 */
export function readRelaySpeed(): { tokensPerSecond: number; timesTutorial: number } {
  const { express, tutorial } = read("relay").burst.subjects as Record<"express" | "tutorial", Subject>;
  const speeds = express.map(({ values }) => values.tokensPerSecond ?? Number.NaN);
  const times = speeds.map((speed, pair) => speed / (tutorial[pair]?.values.tokensPerSecond ?? Number.NaN));
  return { tokensPerSecond: getMedian(speeds), timesTutorial: getMedian(times) };
}

/** The measured costs: the relay's from its own benchmark, the others' from `bench/capacity.ts`. */
export function readCosts(): Costs {
  const { short, paced, idle } = read("relay");
  const { knowledge, listing } = read("capacity");
  return {
    relay: {
      runMicros: median(short, "cpuMicrosPerRun"),
      tokenMicros: median(paced, "cpuMicrosPerToken"),
      baseBytes: median(paced, "peakMegabytes") * 1e6,
      streamBytes: median(idle, "kilobytesPerStream") * 1e3,
    },
    knowledge,
    listing,
  };
}
