import type { Summary } from "../harness/statistics.ts";
import type { Results } from "./results.ts";

export interface Verdict {
  goal: string;
  measured: string;
  met: boolean;
}

interface Check {
  scenario: string;
  goal: string;
  judge(results: Results): { measured: string; met: boolean } | undefined;
}

const relay = "express";

function atLeast(factor: number, metric: string, peer: string): Check["judge"] {
  return (results) =>
    judge(
      results.ratio(metric, relay, peer),
      (ratio) => ratio >= factor,
      (ratio) => `${ratio.toFixed(2)} ×`,
    );
}

function atMost(limit: number, metric: string, unit: string): Check["judge"] {
  return (results) =>
    judge(
      results.metric(relay, metric),
      (value) => value <= limit,
      (value) => `${value.toFixed(1)} ${unit}`,
    );
}

function judge(summary: Summary | undefined, met: (median: number) => boolean, show: (median: number) => string) {
  return summary && { measured: show(summary.median), met: met(summary.median) };
}

const noFailures: Check["judge"] = (results) => {
  if (!results.has(relay)) return undefined;
  const failed = Object.values(results.failures(relay)).reduce((sum, count) => sum + count, 0);
  return { measured: `${failed} failed`, met: failed === 0 };
};

function nestBeside(metric: string): Check["judge"] {
  return (results) =>
    judge(
      results.ratio(metric, "nest", relay),
      (ratio) => ratio >= 0.9,
      (ratio) => `${ratio.toFixed(2)} ×`,
    );
}

function keepingRuns(subject: string, factor: number): Check["judge"] {
  return (results) =>
    judge(
      results.ratio("tokensPerSecond", subject, relay),
      (ratio) => ratio >= factor,
      (ratio) => `${ratio.toFixed(2)} ×`,
    );
}

const checks: readonly Check[] = [
  ...["burst", "burst-coalesced", "burst-obfuscated"].flatMap((scenario) => [
    { scenario, goal: "tokens/s ≥ 10 × (a)", judge: atLeast(10, "tokensPerSecond", "tutorial") },
    { scenario, goal: "tokens/s ≥ 1.0 × (d)", judge: atLeast(1, "tokensPerSecond", "pipe") },
    { scenario, goal: "stretch: tokens/s ≥ 0.6 × (e)", judge: atLeast(0.6, "tokensPerSecond", "nginx") },
    { scenario, goal: "NestJS ≥ 0.9 × Express", judge: nestBeside("tokensPerSecond") },
  ]),
  { scenario: "burst", goal: "runs in memory: tokens/s ≥ 0.95 × without", judge: keepingRuns("express-memory", 0.95) },
  { scenario: "burst", goal: "runs in Redis: tokens/s ≥ 0.75 × without", judge: keepingRuns("express-redis", 0.75) },
  {
    scenario: "paced",
    goal: "runs in Redis: p99 of a token's delay ≤ 1 ms more",
    judge: (results) => {
      const [kept, plain] = ["express-redis", relay].map((name) => results.metric(name, "delayP99")?.median);
      if (kept === undefined || plain === undefined) return undefined;
      return { measured: `${(kept - plain).toFixed(2)} ms`, met: kept - plain <= 1 };
    },
  },
  { scenario: "short", goal: "runs/s ≥ 10 × (a)", judge: atLeast(10, "runsPerSecond", "tutorial") },
  { scenario: "short", goal: "runs/s ≥ 1.0 × (d)", judge: atLeast(1, "runsPerSecond", "pipe") },
  { scenario: "short", goal: "NestJS ≥ 0.9 × Express", judge: nestBeside("runsPerSecond") },
  {
    scenario: "paced",
    goal: "CPU per token ≤ 0.8 × (d)",
    judge: (results) =>
      judge(
        results.ratio("cpuMicrosPerToken", relay, "pipe"),
        (ratio) => ratio <= 0.8,
        (ratio) => `${ratio.toFixed(2)} ×`,
      ),
  },
  {
    scenario: "paced",
    goal: "p99 of the delay that the relay adds ≤ 2 ms",
    judge: (results) => {
      const [own, direct] = [relay, "direct"].map((subject) => results.metric(subject, "delayP99")?.median);
      if (own === undefined) return undefined;
      const added = own - (direct ?? 0);
      return { measured: `${added.toFixed(2)} ms`, met: added <= 2 };
    },
  },
  { scenario: "idle", goal: "no failure", judge: noFailures },
  { scenario: "idle", goal: "memory per stream ≤ 30 KB", judge: atMost(30, "kilobytesPerStream", "KB") },
  { scenario: "slow-readers", goal: "peak memory ≤ 250 MB", judge: atMost(250, "peakMegabytes", "MB") },
  {
    scenario: "slow-readers",
    goal: "fast clients beside them get ≥ 0.9 of what they get alone",
    judge: (results) =>
      judge(
        results.metric(relay, "besideToAlone"),
        (part) => part >= 0.9,
        (part) => `${part.toFixed(2)} ×`,
      ),
  },
  { scenario: "slow-readers", goal: "no failure", judge: noFailures },
  { scenario: "disconnects", goal: "p99 ≤ 50 ms", judge: atMost(50, "seenP99", "ms") },
  {
    scenario: "disconnects",
    goal: "none is never seen",
    judge: (results) => {
      const never = results.metric(relay, "neverSeen")?.max;
      return never === undefined ? undefined : { measured: `${never}`, met: never === 0 };
    },
  },
];

/** What the relay set out to reach in a scenario, and whether it did; only what was measured. */
export function judgeGoals(scenario: string, results: Results): Verdict[] {
  return checks
    .filter((check) => check.scenario === scenario)
    .flatMap(({ goal, judge }) => {
      const verdict = judge(results);
      return verdict ? [{ goal, ...verdict }] : [];
    });
}
