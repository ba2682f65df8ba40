import { setTimeout as sleep } from "node:timers/promises";
import type { Plan } from "../request.ts";
import type { Server } from "../server.ts";
import type { Scenario } from "./scenario.ts";
import { megabytes, milliseconds, sumFailures } from "./scenario.ts";

/** 50 MB of provider bytes, at 295 bytes per token. */
const fiftyMegabytes: Plan = { tokens: 170_000 };
const fastClients = { concurrency: 8, runs: 8 };

export const slowReaders: Scenario = {
  title: "Slow readers",
  says: "100 clients that read nothing while 50 MB wait for each, and 8 fast clients, which start when the server is idle (after 30 s at most).",
  headline: "peakMegabytes",
  without: ["ai-sdk", "portkey"],
  metrics: {
    peakMegabytes: { title: "peak memory", unit: "MB" },
    tokensPerSecondBeside: { title: "fast clients, tokens/s", unit: "" },
    besideToAlone: { title: "share of their speed alone", unit: "" },
  },
  async measure(server, { minSeconds }) {
    const fast: Plan = { tokens: 2_000 };
    await server.load({ tokens: 200 }, { ...fastClients, runs: 200, minSeconds: 1 });
    const alone = await server.load(fast, { ...fastClients, minSeconds });
    server.forgetPeak();
    const readers = server.holdIdleReaders(100, fiftyMegabytes);
    const beside = await untilQuiet(server)
      .then(() => server.load(fast, { ...fastClients, minSeconds, timeoutSeconds: 20 }))
      .finally(readers.release);
    const perSecond = beside.tokens / beside.seconds;
    return {
      values: {
        peakMegabytes: megabytes(server.memory().peak),
        tokensPerSecondBeside: perSecond,
        besideToAlone: perSecond / (alone.tokens / alone.seconds),
      },
      failures: sumFailures(alone, beside, await readers.finished),
    };
  },
};

const quiet = { stepMs: 500, steps: 4, busyShare: 0.1, deadlineMs: 30_000 };

/** Waits until the sockets of the idle readers are full and the server has been idle for several consecutive steps, or until a deadline. */
async function untilQuiet(server: Server): Promise<void> {
  const { stepMs, steps, busyShare, deadlineMs } = quiet;
  for (let waitedMs = 0, quietSteps = 0; waitedMs < deadlineMs && quietSteps < steps; waitedMs += stepMs) {
    const before = server.cpuMicros();
    await sleep(stepMs);
    const busyMicros = server.cpuMicros() - before;
    quietSteps = busyMicros > stepMs * 1_000 * busyShare ? 0 : quietSteps + 1;
  }
}

const moments: Record<string, Plan> = {
  midStream: { tokens: 200, paceMicros: 20_000 },
  silent: { tokens: 200, paceMicros: 20_000, silentAfter: 3 },
  beforeHeaders: { tokens: 200, paceMicros: 20_000, silentAfter: 0 },
};

export const disconnects: Scenario = {
  title: "Disconnects",
  says: "600 clients that disconnect: in the middle of a stream, while the provider is silent, and before it has answered at all. The table shows the time until the provider sees its request end; more than 2 s counts as never.",
  headline: "seenP99",
  without: ["ai-sdk", "portkey"],
  metrics: {
    seenP50: { title: "provider sees it, p50", unit: "ms" },
    seenP99: { title: "p99", unit: "ms" },
    neverSeen: { title: "never", unit: "" },
  },
  async measure(server) {
    await server.load({ tokens: 50, paceMicros: 5_000 }, { concurrency: 64, runs: 128 });
    const results = [];
    for (const plan of Object.values(moments))
      results.push(await server.load(plan, { concurrency: 50, runs: 200, closeAfterMs: 100 }));
    const seen = results.flatMap(({ seenAfterMicros }) => seenAfterMicros ?? []);
    const worst = (which: "p50" | "p99") => milliseconds(Math.max(...seen.map((times) => times[which])));
    return {
      values: {
        ...(seen.length > 0 && { seenP50: worst("p50"), seenP99: worst("p99") }),
        neverSeen: results.reduce((sum, { neverSeen = 0 }) => sum + neverSeen, 0),
      },
      failures: sumFailures(...results),
    };
  },
};
