import type { RequestCounts } from "../limits/request-counts.ts";
import type { Slot, Slots } from "../limits/slots.ts";
import type { Settlement, TokenCounts } from "../limits/tokens/token-counts.ts";
import type { MetricData } from "../observability/metrics.ts";

/** Calls from a worker to the primary, with their results. */
export interface LimitCalls {
  countRequest: RequestCounts["count"];
  takeSlot: Slots["take"];
  claimTokens: TokenCounts["claim"];
}

export type LimitCall = {
  [Name in keyof LimitCalls]: { call: Name; id: number; args: Parameters<LimitCalls[Name]> };
}[keyof LimitCalls];

/** Messages from a worker to the primary. */
export type WorkerMessage =
  | LimitCall
  | { releaseSlot: Slot }
  | { settleTokens: Settlement }
  /** It listens. */
  | { address: string }
  /** The worker is ending because of an error, and accepts no more connections. */
  | { failing: true }
  | { metrics: MetricData[] };

/** Messages from the primary to a worker. */
export type PrimaryMessage =
  | { answer: number; value: Awaited<ReturnType<LimitCalls[keyof LimitCalls]>> }
  /** `drain`: as on SIGTERM. `retire`: another worker has taken over, so end once the existing connections have ended. */
  | { order: "drain" | "retire" }
  | { wanted: "metrics" };

/** Environment variable with the number of a worker. */
export const workerVariable = "AGENT_BACKENDS_WORKER";

/** Messages of one event loop turn are sent together: a write costs more than the message in it. */
export class Outbox<Message> {
  readonly #send: (messages: Message[]) => void;
  #waiting: Message[] = [];

  constructor(send: (messages: Message[]) => void) {
    this.#send = send;
  }

  add(message: Message): void {
    if (this.#waiting.push(message) === 1) setImmediate(() => this.flush());
  }

  flush(): void {
    const messages = this.#waiting;
    this.#waiting = [];
    if (messages.length > 0) this.#send(messages);
  }
}
