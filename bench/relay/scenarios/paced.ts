import type { Scenario } from "./scenario.ts";
import { megabytes, milliseconds, sumFailures } from "./scenario.ts";

const delays = {
  delayP50: { title: "token delay p50", unit: "ms" },
  delayP99: { title: "token delay p99", unit: "ms" },
} as const;
const cpuPerToken = { title: "CPU per token", unit: "µs" } as const;

/** Compiles the code before the measurement. */
const warmUp = { plan: { tokens: 50, paceMicros: 5_000 }, options: { concurrency: 64, runs: 320 } };

export const paced: Scenario = {
  title: "Paced",
  says: "200 streams of 100 tokens, with one token every 20 ms each. They begin within half a second. A token's delay is the time from the provider's write to the client's read.",
  headline: "cpuMicrosPerToken",
  metrics: {
    cpuMicrosPerToken: cpuPerToken,
    ...delays,
    peakMegabytes: { title: "peak memory", unit: "MB" },
  },
  async measure(server) {
    const plan = { tokens: 100, paceMicros: 20_000 };
    const options = { concurrency: 200, runs: 200, rampMs: 500 };
    await server.load(warmUp.plan, warmUp.options);
    await server.load(plan, options);
    server.forgetPeak();
    const cpuBefore = server.cpuMicros();
    const result = await server.load(plan, options);
    return {
      values: {
        cpuMicrosPerToken: (server.cpuMicros() - cpuBefore) / result.tokens,
        delayP50: milliseconds(result.delayMicros?.p50),
        delayP99: milliseconds(result.delayMicros?.p99),
        peakMegabytes: megabytes(server.memory().peak),
      },
      failures: sumFailures(result),
    };
  },
};

export const idle: Scenario = {
  title: "Idle",
  says: "9 500 streams, opened at once, one token a second each for 10 s.",
  headline: "kilobytesPerStream",
  without: ["ai-sdk", "portkey"],
  metrics: {
    kilobytesPerStream: { title: "memory per stream", unit: "KB" },
    cpuMicrosPerToken: cpuPerToken,
    ...delays,
    firstTokenP99: { title: "first token p99", unit: "ms" },
  },
  async measure(server, { idleStreams }) {
    await server.load(warmUp.plan, warmUp.options);
    const before = server.memory().now;
    server.forgetPeak();
    const cpuBefore = server.cpuMicros();
    const options = { concurrency: idleStreams, runs: idleStreams, timeoutSeconds: 90 };
    const result = await server.load({ tokens: 10, paceMicros: 1_000_000 }, options);
    return {
      values: {
        kilobytesPerStream: (server.memory().peak - before) / idleStreams / 1_000,
        cpuMicrosPerToken: (server.cpuMicros() - cpuBefore) / result.tokens,
        delayP50: milliseconds(result.delayMicros?.p50),
        delayP99: milliseconds(result.delayMicros?.p99),
        firstTokenP99: milliseconds(result.firstTokenMicros?.p99),
      },
      failures: sumFailures(result),
    };
  },
};
