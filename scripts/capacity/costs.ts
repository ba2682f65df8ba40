import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Costs } from "./plan.ts";

const read = (name: string) =>
  JSON.parse(readFileSync(join(import.meta.dirname, `../../bench/results/${name}.json`), "utf8"));

interface Measured {
  subjects: Record<"express", { values: Record<string, number> }[]>;
}

/** The median over the pairs of what Express took. */
function median({ subjects: { express } }: Measured, metric: string): number {
  const values = express.map(({ values }) => values[metric] ?? Number.NaN).sort((one, other) => one - other);
  return values[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** The measured costs: of the relay from its own benchmark, of the others from `bench/capacity.ts`. */
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
