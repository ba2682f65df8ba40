import type { LimitCounts } from "../limits/limit-counts.ts";
import { createLimitCounts } from "../limits/limit-counts.ts";
import type { Slot } from "../limits/slots.ts";
import type { TokenCounts } from "../limits/tokens/token-counts.ts";
import { FallbackTokenCounts } from "../limits/tokens/token-counts.ts";
import type { MetricData } from "../observability/metrics.ts";
import type { LimitCall, LimitCalls, PrimaryMessage, WorkerMessage } from "./messages.ts";
import { Outbox, workerVariable } from "./messages.ts";

/** Maximum number of pending calls to the primary. Beyond it this worker counts on its own. */
const maxCalls = 10_000;
/** A primary that takes longer is assumed to be stuck. */
const callTimeoutMs = 1_000;

/** The primary doesn't respond. */
class PrimaryTimeoutError extends Error {
  override readonly name = "PrimaryTimeoutError";
}

/** A worker's connection to the primary, the process that started it. */
export class PrimaryConnection {
  /** Starts at 1. A worker that replaces another one takes over its number. */
  readonly worker: number;
  /** Counts that the primary keeps for all workers. While it doesn't respond, this worker counts on its own. */
  readonly counts: LimitCounts;
  onOrder: (order: "drain" | "retire") => void = () => process.exit(0);
  getMetrics: () => Promise<MetricData[]> = async () => [];
  readonly #outbox = new Outbox<WorkerMessage>((messages) => process.send?.(messages));
  readonly #calls = new Map<number, { resolve(value: never): void; timer: NodeJS.Timeout }>();
  #lastCall = 0;

  constructor(worker: number, name: string) {
    this.worker = worker;
    this.counts = this.#openCounts(name);
    process.on("message", (messages: PrimaryMessage[]) => {
      for (const message of messages) this.#receive(message);
    });
  }

  listens(address: string): void {
    this.#outbox.add({ address });
  }

  /** Tells the primary to start another worker in this one's place. */
  isFailing(): void {
    this.#outbox.add({ failing: true });
  }

  /** Sends the last metrics, so that no counts are lost. */
  async close(): Promise<void> {
    await this.#sendMetrics();
    this.#outbox.flush();
    await new Promise((resolve) => process.send?.([], resolve));
  }

  #receive(message: PrimaryMessage): void {
    if ("answer" in message) {
      const call = this.#calls.get(message.answer);
      clearTimeout(call?.timer);
      this.#calls.delete(message.answer);
      call?.resolve(message.value as never);
    } else if ("order" in message) this.onOrder(message.order);
    else void this.#sendMetrics();
  }

  async #sendMetrics(): Promise<void> {
    this.#outbox.add({ metrics: await this.getMetrics() });
  }

  /** @throws PrimaryTimeoutError */
  #call<Name extends keyof LimitCalls>(
    name: Name,
    ...given: Parameters<LimitCalls[Name]>
  ): ReturnType<LimitCalls[Name]>;
  async #call(call: LimitCall["call"], ...args: LimitCall["args"]): Promise<unknown> {
    if (this.#calls.size >= maxCalls) throw new PrimaryTimeoutError();
    this.#lastCall += 1;
    const id = this.#lastCall;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#calls.delete(id);
        reject(new PrimaryTimeoutError());
      }, callTimeoutMs);
      this.#calls.set(id, { resolve, timer });
      this.#outbox.add({ call, id, args } as LimitCall);
    });
  }

  #openCounts(name: string): LimitCounts {
    const own = createLimitCounts(name);
    const shared: TokenCounts = {
      claim: (claim) => this.#call("claimTokens", claim),
      settle: async (settlement) => {
        this.#outbox.add({ settleTokens: settlement });
        return undefined;
      },
    };
    return {
      requests: {
        count: (...given) => this.#call("countRequest", ...given).catch(() => own.requests.count(...given)),
      },
      slots: {
        take: (...given) => this.#call("takeSlot", ...given).catch(() => own.slots.take(...given)),
        release: (slot: Slot) => {
          // The primary may have given it after the time was over.
          this.#outbox.add({ releaseSlot: slot });
          own.slots.release(slot);
        },
      },
      tokens: new FallbackTokenCounts(shared, own.tokens),
      isShared: true,
      close: () => own.close(),
    };
  }
}

/** Connects a worker to the primary. Undefined in a process that isn't a worker. */
export function connectToPrimary(name: string): PrimaryConnection | undefined {
  const worker = process.env[workerVariable];
  if (worker === undefined) return undefined;
  // Child processes of this worker are not workers themselves.
  delete process.env[workerVariable];
  return new PrimaryConnection(Number(worker), name);
}
