import type { LoadResult } from "../load.ts";
import type { Server } from "../server.ts";

/** The name of a metric in tables, and its unit. */
export interface Metric {
  title: string;
  unit: string;
}

export interface Measurement {
  /** By the metric's name. A value that could not be measured is NaN or left out. */
  values: Record<string, number>;
  /** Failed runs by kind. */
  failures: Record<string, number>;
}

export interface ScenarioSettings {
  minSeconds: number;
  idleStreams: number;
}

export interface Scenario {
  title: string;
  /** One sentence for the page. */
  says: string;
  metrics: Record<string, Metric>;
  /** The metric by which subjects are compared. */
  headline: string;
  /** Subjects left out of the scenario, because a complete run has to end within an hour. */
  without?: readonly string[];
  measure(server: Server, settings: ScenarioSettings): Promise<Measurement>;
}

/** The failures of several loads together, by kind. */
export function sumFailures(...results: LoadResult[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const { failures } of results)
    for (const [kind, count] of Object.entries(failures)) if (count > 0) sums[kind] = (sums[kind] ?? 0) + count;
  return sums;
}

export const megabytes = (bytes: number) => bytes / 1_000_000;
export const milliseconds = (micros: number | undefined) => (micros === undefined ? Number.NaN : micros / 1_000);
