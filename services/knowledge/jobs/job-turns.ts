import { knowledgeLimits } from "@agent-backends/contract";
import { FairQueue } from "@agent-backends/kit";
import type { ItemSize } from "../store/jobs/sent-items.ts";
import type { LiveJob } from "./live-job.ts";

/** Decides when jobs run. Each size class of items has a queue, so that no item waits for a larger one. */
export class JobTurns {
  readonly #queues: Record<ItemSize, FairQueue> = { small: createQueue(), page: createQueue(), large: createQueue() };

  /**
   * Runs a job in the queue of its largest items. While it waits there, its smaller items run in the queues of their own. When it is
   * its turn, those that aren't stored yet run beside the larger ones.
   *
   * @param run works until the signal aborts on all items, or only on those of one size
   * @throws what `run` throws for all items, and the signal's reason
   */
  async take(
    live: LiveJob,
    run: (signal: AbortSignal, only?: ItemSize) => Promise<void>,
    signal: AbortSignal,
  ): Promise<void> {
    const [largest = "small", ...smaller] = live.openSizes;
    const ownTurn = new AbortController();
    const waiting = AbortSignal.any([signal, ownTurn.signal]);
    const runSmaller = async () => {
      for (const size of smaller.toReversed()) {
        await this.#queues[size].add(live.owner, () => run(waiting, size), waiting);
      }
    };
    const runAll = async () => {
      ownTurn.abort();
      await ranSmaller;
      await run(signal);
    };
    const ranAll = this.#queues[largest].add(live.owner, runAll, signal);
    // Items that fail here are tried again when it is the job's turn.
    const ranSmaller = runSmaller().catch(() => undefined);
    try {
      await ranAll;
    } finally {
      // If the job was cancelled, an item that is just being stored still gets its outcome.
      await ranSmaller;
    }
  }
}

const createQueue = () =>
  new FairQueue({
    concurrency: knowledgeLimits.runningJobs,
    concurrencyPerClient: knowledgeLimits.runningJobsPerKey,
  });
