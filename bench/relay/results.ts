import type { Run } from "../harness/recording.ts";
import type { Summary } from "../harness/statistics.ts";
import { summarise } from "../harness/statistics.ts";
import type { Measurement } from "./scenarios/scenario.ts";

/** By subject, one measurement a pair. */
export type Measurements = Record<string, Measurement[]>;

/** One scenario as it is recorded. */
export interface Measured extends Run {
  subjects: Measurements;
}

/** What was measured in one scenario. */
export class Results {
  readonly #measurements: Measurements;

  constructor(measurements: Measurements) {
    this.#measurements = measurements;
  }

  has(subject: string): boolean {
    return this.#of(subject).length > 0;
  }

  metric(subject: string, metric: string): Summary | undefined {
    return summarise(this.#of(subject).map(({ values }) => values[metric]));
  }

  /** One subject's metric in units of another's, each pair on its own, since what disturbs one disturbs both. */
  ratio(metric: string, subject: string, base: string): Summary | undefined {
    const others = this.#of(base);
    return summarise(
      this.#of(subject).map(({ values }, pair) => {
        const [own, other] = [values[metric], others[pair]?.values[metric]];
        return own === undefined || !other ? undefined : own / other;
      }),
    );
  }

  /** Failed runs by kind, over all pairs. */
  failures(subject: string): Record<string, number> {
    const sums: Record<string, number> = {};
    for (const { failures } of this.#of(subject))
      for (const [kind, count] of Object.entries(failures)) sums[kind] = (sums[kind] ?? 0) + count;
    return sums;
  }

  #of(subject: string): readonly Measurement[] {
    return this.#measurements[subject] ?? [];
  }
}
