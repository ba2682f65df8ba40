import { readFileSync } from "node:fs";
import { join } from "node:path";

import type { Costs } from "./plan.ts";

const read = (name: string) =>
  JSON.parse(readFileSync(join(import.meta.dirname, `../../bench/results/${name}.json`), "utf8"));

/** The measured costs: of the relay from its own benchmark, of the others from `bench/capacity.ts`. */
export function readCosts(): Costs {
  const { short, paced, idle } = read("relay").results;
  const { knowledge, listing } = read("capacity");
  return {
    relay: {
      runMicros: short.express.cpuMicrosPerRun.median,
      tokenMicros: paced.express.cpuMicrosPerToken.median,
      baseBytes: paced.express.peakMegabytes.median * 1e6,
      streamBytes: idle.express.kilobytesPerStream.median * 1e3,
    },
    knowledge,
    listing,
  };
}
