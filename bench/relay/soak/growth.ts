import { slope, summarise } from "../statistics.ts";

/** What soak/report-memory.mjs writes: bytes, and seconds since the server began. */
export interface Sample {
  seconds: number;
  rss: number;
  heapUsed: number;
  external: number;
}

export interface Growth {
  /** Which memory it is about. */
  of: string;
  medianBytes: number;
  bytesPerHour: number;
  grows: boolean;
}

/** The first part of a soak compiles code and fills pools: it says nothing about growth. */
const warmUpShare = 0.2;

/** Growth counts when the trend over the soak is more than this part of the whole, and more than noise. */
const toleratedShare = { rss: 0.1, heapUsed: 0.05, external: 0.1 };
const noiseBytes = 4_000_000;

/** The trend of each kind of memory over the samples, and whether it is growth. */
export function judgeGrowth(samples: readonly Sample[]): Growth[] {
  const steady = samples.slice(Math.ceil(samples.length * warmUpShare));
  const duration = (steady.at(-1)?.seconds ?? 0) - (steady[0]?.seconds ?? 0);
  return (["heapUsed", "external", "rss"] as const).map((of) => {
    const bytesPerSecond = slope(steady.map((sample) => ({ x: sample.seconds, y: sample[of] })));
    const medianBytes = summarise(steady.map((sample) => sample[of]))?.median ?? 0;
    const tolerated = Math.max(noiseBytes, medianBytes * toleratedShare[of]);
    return { of, medianBytes, bytesPerHour: bytesPerSecond * 3_600, grows: bytesPerSecond * duration > tolerated };
  });
}
