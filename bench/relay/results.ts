import type { Run } from "../harness/recording.ts";
import type { Summary } from "../harness/statistics.ts";
import { summarise } from "../harness/statistics.ts";
import type { Measurement } from "./scenarios/scenario.ts";

/** By subject, with one measurement per pair. */
export type Measurements = Record<string, Measurement[]>;

/** One scenario in recorded form. */
export interface Measured extends Run {
  subjects: Measurements;
}

/** The measurements of one scenario. */
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

  /** The ratio of one subject's metric to another's, computed for each pair, because a disturbance affects both. */
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
