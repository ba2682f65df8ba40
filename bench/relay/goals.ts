import type { Goal } from "../harness/recording.ts";
import { isMet } from "../harness/recording.ts";
import type { Results } from "./results.ts";

export interface Verdict {
  goal: string;
  measured: string;
  met: boolean;
}

interface Check {
  scenario: string;
  goal: string;
  measure: (results: Results) => number | undefined;
  bounds: Goal;
  unit: string;
  digits: number;
}

const relay = "express";

const times = (scenario: string, goal: string, metric: string, bounds: Goal, base: string, subject = relay): Check => ({
  ...{ scenario, goal, bounds, unit: " ×", digits: 2 },
  measure: (results) => results.ratio(metric, subject, base)?.median,
});

const nestBeside = (scenario: string, metric: string): Check =>
  times(scenario, "NestJS ≥ 0.9 × Express", metric, { atLeast: 0.9 }, relay, "nest");

const atMost = (scenario: string, goal: string, metric: string, max: number, unit: string): Check => ({
  ...{ scenario, goal, bounds: { atMost: max }, unit: ` ${unit}`, digits: 1 },
  measure: (results) => results.metric(relay, metric)?.median,
});

const delayBeside = (goal: string, subject: string, base: string, max: number): Check => ({
  ...{ scenario: "paced", goal, bounds: { atMost: max }, unit: " ms", digits: 2 },
  measure(results) {
    const [own, other] = [subject, base].map((name) => results.metric(name, "delayP99")?.median);
    return own === undefined || other === undefined ? undefined : own - other;
  },
});

const noFailure = (scenario: string): Check => ({
  ...{ scenario, goal: "no failure", bounds: { atMost: 0 }, unit: " failed", digits: 0 },
  measure: (results) =>
    results.has(relay) ? Object.values(results.failures(relay)).reduce((sum, count) => sum + count, 0) : undefined,
});

const perSecond = "tokensPerSecond";
const checks: readonly Check[] = [
  ...["burst", "burst-coalesced", "burst-obfuscated"].flatMap((scenario) => [
    times(scenario, "tokens/s ≥ 10 × (a)", perSecond, { atLeast: 10 }, "tutorial"),
    times(scenario, "tokens/s ≥ 1.0 × (d)", perSecond, { atLeast: 1 }, "pipe"),
    times(scenario, "stretch: tokens/s ≥ 0.6 × (e)", perSecond, { atLeast: 0.6 }, "nginx"),
    nestBeside(scenario, perSecond),
  ]),
  times("burst", "runs in memory: tokens/s ≥ 0.95 × without", perSecond, { atLeast: 0.95 }, relay, "express-memory"),
  times("burst", "runs in Redis: tokens/s ≥ 0.75 × without", perSecond, { atLeast: 0.75 }, relay, "express-redis"),
  delayBeside("runs in Redis: p99 of a token's delay ≤ 1 ms more", "express-redis", relay, 1),
  times("short", "runs/s ≥ 10 × (a)", "runsPerSecond", { atLeast: 10 }, "tutorial"),
  times("short", "runs/s ≥ 1.0 × (d)", "runsPerSecond", { atLeast: 1 }, "pipe"),
  nestBeside("short", "runsPerSecond"),
  times("paced", "CPU per token ≤ 0.8 × (d)", "cpuMicrosPerToken", { atMost: 0.8 }, "pipe"),
  delayBeside("p99 of the delay that the relay adds ≤ 2 ms", relay, "direct", 2),
  noFailure("idle"),
  atMost("idle", "memory per stream ≤ 30 KB", "kilobytesPerStream", 30, "KB"),
  atMost("slow-readers", "peak memory ≤ 250 MB", "peakMegabytes", 250, "MB"),
  {
    scenario: "slow-readers",
    goal: "fast clients get ≥ 0.9 of their speed without slow readers",
    ...{ bounds: { atLeast: 0.9 }, unit: " ×", digits: 2 },
    measure: (results) => results.metric(relay, "besideToAlone")?.median,
  },
  noFailure("slow-readers"),
  atMost("disconnects", "p99 ≤ 50 ms", "seenP99", 50, "ms"),
  {
    scenario: "disconnects",
    goal: "the provider sees all of them",
    ...{ bounds: { atMost: 0 }, unit: "", digits: 0 },
    measure: (results) => results.metric(relay, "neverSeen")?.max,
  },
];

/** The relay's goals in a scenario, and whether it reached them. Only goals of measured metrics. */
export function judgeGoals(scenario: string, results: Results): Verdict[] {
  return checks
    .filter((check) => check.scenario === scenario)
    .flatMap(({ goal, measure, bounds, unit, digits }) => {
      const value = measure(results);
      if (value === undefined) return [];
      return [{ goal, measured: `${value.toFixed(digits)}${unit}`, met: isMet(bounds, value) }];
    });
}
