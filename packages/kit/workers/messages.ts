import type { RequestCounts } from "../limits/request-counts.ts";
import type { Slot, Slots } from "../limits/slots.ts";
import type { Settlement, TokenCounts } from "../limits/tokens/token-counts.ts";
import type { MetricData } from "../observability/metrics.ts";

/** What a worker asks the primary, with an answer. */
export interface LimitCalls {
  countRequest: RequestCounts["count"];
  takeSlot: Slots["take"];
  claimTokens: TokenCounts["claim"];
}

export type LimitCall = {
  [Name in keyof LimitCalls]: { call: Name; id: number; given: Parameters<LimitCalls[Name]> };
}[keyof LimitCalls];

/** What a worker tells the primary. */
export type WorkerMessage =
  | LimitCall
  | { releaseSlot: Slot }
  | { settleTokens: Settlement }
  /** It listens. */
  | { address: string }
  /** It ends because of an error, and takes no more connections. */
  | { failing: true }
  | { metrics: MetricData[] };

/** What the primary tells a worker. */
export type PrimaryMessage =
  | { answer: number; value: Awaited<ReturnType<LimitCalls[keyof LimitCalls]>> }
  /** `drain`: as on SIGTERM. `retire`: another worker has taken its place, and it ends when its connections have. */
  | { order: "drain" | "retire" }
  | { wanted: "metrics" };

/** The environment variable by which a worker knows its number. */
export const workerVariable = "AGENT_BACKENDS_WORKER";

/** Messages of one turn of the event loop are sent together: each write costs more than its message. */
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
