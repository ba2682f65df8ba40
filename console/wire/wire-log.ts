/** One thing that happened on the wire. */
export interface WireEntry {
  id: number;
  kind: "request" | "response" | "event" | "heartbeat" | "end" | "error";
  /** Milliseconds since the request was sent. */
  atMs: number;
  /** Milliseconds since the entry before. */
  gapMs: number;
  /** The event's type, or what the entry is. */
  label: string;
  raw: string;
}

export interface WireStats {
  events: number;
  firstTokenMs?: number;
  /** Text events for each second between the first and the last of them; absent where these came at once. */
  tokensPerSecond?: number;
  totalMs: number;
}

/** Below this time between the first and the last text event, in milliseconds, they were read together: that is no pace. */
const shortestSpanMs = 20;

/** Entries that are kept; older ones are counted only. */
const entriesAtMost = 1_000;

/** What happened on the wire during one request. */
export class WireLog {
  readonly #now: () => number;
  readonly #startedAt: number;
  #entries: WireEntry[] = [];
  #lastMs = 0;
  #added = 0;
  #events = 0;
  #texts = 0;
  #firstTokenMs: number | undefined;
  #lastTokenMs = 0;

  /** @param now a clock in milliseconds */
  constructor(now: () => number) {
    this.#now = now;
    this.#startedAt = now();
  }

  add(kind: WireEntry["kind"], label: string, raw: string, { isText = false } = {}): void {
    const atMs = this.#now() - this.#startedAt;
    if (kind === "event") this.#events++;
    if (isText) {
      this.#texts++;
      this.#firstTokenMs ??= atMs;
      this.#lastTokenMs = atMs;
    }
    this.#entries.push({ id: this.#added++, kind, atMs, gapMs: atMs - this.#lastMs, label, raw });
    this.#lastMs = atMs;
    if (this.#entries.length > entriesAtMost) this.#entries = this.#entries.slice(-entriesAtMost / 2);
  }

  /** The entries that are kept, oldest first, and how many were not. */
  get entries(): { kept: WireEntry[]; leftOut: number } {
    return { kept: [...this.#entries], leftOut: this.#added - this.#entries.length };
  }

  get stats(): WireStats {
    const spanMs = this.#lastTokenMs - (this.#firstTokenMs ?? 0);
    return {
      events: this.#events,
      totalMs: this.#lastMs,
      ...(this.#firstTokenMs !== undefined && { firstTokenMs: this.#firstTokenMs }),
      ...(this.#texts > 1 && spanMs >= shortestSpanMs && { tokensPerSecond: ((this.#texts - 1) / spanMs) * 1_000 }),
    };
  }
}
