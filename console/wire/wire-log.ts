import type { StreamRequest } from "../connections/request.ts";

/** One thing that happened on the wire after the request. */
interface WireEntry {
  id: number;
  kind: "response" | "event" | "heartbeat" | "end" | "error";
  /** Milliseconds since the request was sent. */
  atMs: number;
  /** Milliseconds since the entry before. */
  gapMs: number;
  /** The event's type, or what the entry is. */
  label: string;
  raw: string;
  /** The words of the answer that it carries; absent where it carries none. */
  words?: string;
}

export interface WireStats {
  events: number;
  firstTokenMs?: number;
  /** Text events for each second between the first and the last of them; absent where these came at once. */
  tokensPerSecond?: number;
  totalMs: number;
}

/** What happened on the wire so far. */
export interface WireSnapshot {
  request: StreamRequest;
  entries: readonly WireEntry[];
  /** How many earlier entries are not kept. */
  leftOut: number;
  stats: WireStats;
}

/** Below this time between the first and the last text event, in milliseconds, they were read together: that is no pace. */
const shortestSpanMs = 20;

/** Maximum number of entries that are kept. Older ones are counted only. */
const maxEntries = 10_000;

/** What happened on the wire during one request. */
export class WireLog {
  readonly #request: StreamRequest;
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
  constructor(request: StreamRequest, now: () => number) {
    this.#request = request;
    this.#now = now;
    this.#startedAt = now();
  }

  add(kind: WireEntry["kind"], label: string, raw: string, words?: string): void {
    const atMs = this.#now() - this.#startedAt;
    if (kind === "event") this.#events++;
    if (words !== undefined) {
      this.#texts++;
      this.#firstTokenMs ??= atMs;
      this.#lastTokenMs = atMs;
    }
    const entry = { id: this.#added++, kind, atMs, gapMs: atMs - this.#lastMs, label, raw };
    this.#entries.push(words === undefined ? entry : { ...entry, words });
    this.#lastMs = atMs;
    if (this.#entries.length > maxEntries) this.#entries = this.#entries.slice(-maxEntries / 2);
  }

  snapshot(): WireSnapshot {
    const leftOut = this.#added - this.#entries.length;
    return { request: this.#request, entries: [...this.#entries], leftOut, stats: this.#stats() };
  }

  #stats(): WireStats {
    const spanMs = this.#lastTokenMs - (this.#firstTokenMs ?? 0);
    return {
      events: this.#events,
      totalMs: this.#lastMs,
      ...(this.#firstTokenMs !== undefined && { firstTokenMs: this.#firstTokenMs }),
      ...(this.#texts > 1 && spanMs >= shortestSpanMs && { tokensPerSecond: ((this.#texts - 1) / spanMs) * 1_000 }),
    };
  }
}

/** Entries that are shown as one: events that carry words of the answer one after the other, or a single entry. */
export interface EntryGroup extends WireEntry {
  entries: readonly WireEntry[];
}

/** Puts events of the same type that carry words, one after the other, into one group. */
export function groupEntries(entries: readonly WireEntry[]): EntryGroup[] {
  const groups: (EntryGroup & { entries: WireEntry[] })[] = [];
  for (const entry of entries) {
    const last = groups.at(-1);
    if (last?.words !== undefined && entry.words !== undefined && last.label === entry.label) {
      last.entries.push(entry);
      last.words += entry.words;
    } else groups.push({ ...entry, entries: [entry] });
  }
  return groups;
}

/** Each entry by itself. */
export const singleEntries = (entries: readonly WireEntry[]): EntryGroup[] =>
  entries.map((entry) => ({ ...entry, entries: [entry] }));
