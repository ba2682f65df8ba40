import type { RedisServer, ScriptedProvider } from "@agent-backends/testing";
import { startRedisServer, startScriptedProvider } from "@agent-backends/testing";
import { afterAll, afterEach, beforeAll, describe } from "vitest";
import type { RelayOptions } from "../../core/options.ts";
import type { Implementation, RunningRelay } from "./implementations.ts";
import { startRelay } from "./implementations.ts";

/** Two replicas of a relay that stores runs, in front of a scripted provider. With runs in memory, both are the same process. */
export interface Replicas {
  provider: ScriptedProvider;
  here: RunningRelay;
  elsewhere: RunningRelay;
  /** Absent for runs in memory. */
  redis: RedisServer | undefined;
  /** Restarts both with other options. */
  restart(options: RelayOptions): Promise<void>;
}

const defaults = { runOrphanMs: 30_000 };

/**
 * Declares the test cases for each implementation with runs in memory, and with runs in Redis alongside a replica of the other
 * implementation.
 */
export function describeReplicas(
  title: string,
  names: readonly Implementation[],
  cases: (replicas: Replicas) => void,
): void {
  const stores = names.flatMap((name) => [
    { name, other: name, store: "memory" },
    { name, other: name === "express" ? ("nest" as const) : ("express" as const), store: "redis" },
  ]);
  describe.each(stores)(`${title} ($name, runs in $store)`, ({ name, other, store }) => {
    const replicas = {} as Replicas;
    let isChanged = false;
    const start = async (options: RelayOptions) => {
      const all = {
        ...{ baseUrl: replicas.provider.baseUrl, runsUrl: replicas.redis?.url ?? "memory:" },
        ...{ ...defaults, ...options },
      };
      replicas.here = await startRelay(name, all);
      replicas.elsewhere = replicas.redis ? await startRelay(other, all) : replicas.here;
    };
    const stop = () => Promise.all([...new Set([replicas.here, replicas.elsewhere])].map((relay) => relay.close()));
    replicas.restart = async (options) => {
      await stop();
      await start(options);
      isChanged = true;
    };
    beforeAll(async () => {
      replicas.provider = await startScriptedProvider();
      replicas.redis = store === "redis" ? await startRedisServer() : undefined;
      await start({});
    });
    afterEach(async () => {
      if (isChanged) await replicas.restart({});
      isChanged = false;
    });
    afterAll(async () => {
      await stop();
      await replicas.redis?.stop();
      await replicas.provider.close();
    });
    cases(replicas);
  });
}

/** Opens one gate after the other, to make a scripted provider send one piece at a time. */
export class Gates {
  #openCount = 0;
  #passedCount = 0;
  #waiting: (() => void)[] = [];

  /** Yields the pieces, each after a gate. */
  async *around<Piece>(pieces: Iterable<Piece>): AsyncGenerator<Piece> {
    for (const piece of pieces) {
      if (this.#passedCount >= this.#openCount) await new Promise<void>((resolve) => this.#waiting.push(resolve));
      this.#passedCount += 1;
      yield piece;
    }
  }

  open(count = Number.POSITIVE_INFINITY): void {
    this.#openCount += count;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}
