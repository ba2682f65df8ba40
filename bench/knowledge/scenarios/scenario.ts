import type { Server } from "../../harness/processes.ts";
import type { Goal } from "../../harness/recording.ts";
import type { Options } from "../options.ts";

/** What a table's row says: how a value is called, in what unit it is, and what it should be. */
export interface Metric {
  title: string;
  unit: string;
  digits: number;
  goal?: Goal;
}

export type Values = Record<string, number>;

export interface Scenario {
  /** The heading of its table. */
  title: string;
  metrics: Record<string, Metric>;
  /** Measures one pair after the other, and gives the values of each; `turn` counts the pairs from 0. */
  measure(options: Options, provider: Server, report: (values: Values) => void): Promise<void>;
}
