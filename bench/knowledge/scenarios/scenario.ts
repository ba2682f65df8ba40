import type { Server } from "../../harness/processes.ts";
import type { Metrics, Values } from "../../harness/recording.ts";
import type { Options } from "../options.ts";

export interface Scenario {
  /** Heading of its table. */
  title: string;
  metrics: Metrics;
  /** Measures one pair after the other, and reports the values of each. */
  measure(options: Options, provider: Server, report: (values: Values) => void): Promise<void>;
}
