import type { Summary } from "../harness/statistics.ts";
import { summarise } from "../harness/statistics.ts";
import { scenarios } from "./scenarios/index.ts";
import type { Measurement } from "./scenarios/scenario.ts";

/** What was measured: scenario → subject → one measurement a pair. */
export class Results {
  readonly #measurements = new Map<string, Map<string, Measurement[]>>();

  add(scenario: string, subject: string, measurement: Measurement): void {
    const subjects = this.#measurements.get(scenario) ?? new Map<string, Measurement[]>();
    this.#measurements.set(scenario, subjects);
    subjects.set(subject, [...(subjects.get(subject) ?? []), measurement]);
  }

  measured(scenario: string, subject: string): readonly Measurement[] {
    return this.#measurements.get(scenario)?.get(subject) ?? [];
  }

  /** How often each subject of a scenario was measured, at least. */
  pairs(scenario: string): number {
    const counts = [...(this.#measurements.get(scenario)?.values() ?? [])].map(({ length }) => length);
    return counts.length > 0 ? Math.min(...counts) : 0;
  }

  metric(scenario: string, subject: string, metric: string): Summary | undefined {
    return summarise(this.measured(scenario, subject).map(({ values }) => values[metric]));
  }

  /** One subject's metric in units of another's, each pair on its own, since what disturbs one disturbs both. */
  ratio(scenario: string, metric: string, subject: string, base: string): Summary | undefined {
    const others = this.measured(scenario, base);
    return summarise(
      this.measured(scenario, subject).map(({ values }, pair) => {
        const [own, other] = [values[metric], others[pair]?.values[metric]];
        return own === undefined || !other ? undefined : own / other;
      }),
    );
  }

  /** Failed runs by kind, over all pairs. */
  failures(scenario: string, subject: string): Record<string, number> {
    const sums: Record<string, number> = {};
    for (const { failures } of this.measured(scenario, subject))
      for (const [kind, count] of Object.entries(failures)) sums[kind] = (sums[kind] ?? 0) + count;
    return sums;
  }

  failed(scenario: string, subject: string): number {
    return Object.values(this.failures(scenario, subject)).reduce((sum, count) => sum + count, 0);
  }

  /** Plain objects, for JSON. */
  toJSON(): object {
    const perScenario = [...this.#measurements].map(([name, subjects]) => {
      const metrics = Object.keys(scenarios[name]?.metrics ?? {});
      const perSubject = [...subjects.keys()].map((subject) => {
        const summaries = metrics.map((metric) => [metric, this.metric(name, subject, metric)] as const);
        return [subject, { ...Object.fromEntries(summaries), failures: this.failures(name, subject) }];
      });
      return [name, Object.fromEntries(perSubject)];
    });
    return Object.fromEntries(perScenario);
  }
}
