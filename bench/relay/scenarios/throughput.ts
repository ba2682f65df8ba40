import type { Plan } from "../request.ts";
import type { Server } from "../server.ts";
import type { Measurement, Scenario, ScenarioSettings } from "./scenario.ts";
import { megabytes, milliseconds, sumFailures } from "./scenario.ts";

const concurrency = 64;
const slowOnes = ["ai-sdk", "portkey"];
/** Servers run for months, so only measure compiled code. */
const warmUp = { concurrency, runs: 256, minSeconds: 4 };
/** Long enough for the code to be compiled, short enough for the slowest subject. */
const warmUpTokens = 208;

interface Work {
  plan: Plan;
  runs: number;
}

async function measureWork(server: Server, { plan, runs }: Work, { minSeconds }: ScenarioSettings) {
  await server.load({ ...plan, tokens: Math.min(plan.tokens, warmUpTokens) }, warmUp);
  server.forgetPeak();
  const cpuBefore = server.cpuMicros();
  const result = await server.load(plan, { concurrency, runs, minSeconds });
  return { result, cpu: server.cpuMicros() - cpuBefore, peak: server.memory().peak };
}

const cpuPerToken = { title: "CPU per token", unit: "µs" } as const;
const peakMemory = { title: "peak memory", unit: "MB" } as const;
/** The added time to the first token is this metric minus that of the row without a relay. */
const firstTokens = {
  firstTokenP50: { title: "first token p50", unit: "ms" },
  firstTokenP99: { title: "p99", unit: "ms" },
} as const;
const firstToken = { title: "first token p99", unit: "ms" } as const;

function burst(title: string, says: string, chunks: Pick<Plan, "obfuscation" | "coalesced">): Scenario {
  const plain = Object.keys(chunks).length === 0;
  return {
    title,
    says,
    ...(!plain && { without: slowOnes }),
    headline: "tokensPerSecond",
    metrics: {
      tokensPerSecond: { title: "tokens/s", unit: "" },
      cpuMicrosPerToken: cpuPerToken,
      peakMegabytes: peakMemory,
    },
    async measure(server, settings): Promise<Measurement> {
      const work = { plan: { tokens: 2_000, ...chunks }, runs: concurrency };
      const { result, cpu, peak } = await measureWork(server, work, settings);
      return {
        values: {
          tokensPerSecond: result.tokens / result.seconds,
          cpuMicrosPerToken: cpu / result.tokens,
          peakMegabytes: megabytes(peak),
        },
        failures: sumFailures(result),
      };
    },
  };
}

export const plainBurst = burst(
  "Burst",
  "64 streams of 2 000 tokens at full speed. Each event is a separate HTTP chunk, as providers send them.",
  {},
);

export const coalescedBurst = burst(
  "Burst, coalesced",
  "The burst with 16 events per HTTP chunk, as a proxy in front of the provider sends them.",
  { coalesced: true },
);

export const obfuscatedBurst = burst(
  "Burst, obfuscated",
  "The burst from a provider that adds different padding to each chunk, as OpenAI does.",
  { obfuscation: true },
);

export const short: Scenario = {
  title: "Short runs",
  says: "2 000 runs of 20 tokens, 64 at a time over kept-alive connections.",
  headline: "runsPerSecond",
  metrics: {
    runsPerSecond: { title: "runs/s", unit: "" },
    cpuMicrosPerRun: { title: "CPU per run", unit: "µs" },
    firstTokenP99: firstToken,
    peakMegabytes: peakMemory,
  },
  async measure(server, settings) {
    const { result, cpu, peak } = await measureWork(server, { plan: { tokens: 20 }, runs: 2_000 }, settings);
    return {
      values: {
        runsPerSecond: result.completed / result.seconds,
        cpuMicrosPerRun: cpu / result.runs,
        firstTokenP99: milliseconds(result.firstTokenMicros?.p99),
        peakMegabytes: megabytes(peak),
      },
      failures: sumFailures(result),
    };
  },
};

export const single: Scenario = {
  title: "One run at a time",
  says: "Runs of 20 tokens of one client, one after the other. The time that a relay adds to the first token is its row minus the row without a relay.",
  headline: "firstTokenP50",
  without: slowOnes,
  metrics: { ...firstTokens, cpuMicrosPerRun: { title: "CPU per run", unit: "µs" } },
  async measure(server, { minSeconds }) {
    await server.load({ tokens: 20 }, warmUp);
    const cpuBefore = server.cpuMicros();
    const result = await server.load({ tokens: 20 }, { concurrency: 1, runs: 1_000, minSeconds });
    return {
      values: {
        firstTokenP50: milliseconds(result.firstTokenMicros?.p50),
        firstTokenP99: milliseconds(result.firstTokenMicros?.p99),
        cpuMicrosPerRun: (server.cpuMicros() - cpuBefore) / result.runs,
      },
      failures: sumFailures(result),
    };
  },
};
