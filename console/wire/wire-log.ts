/** A request whose response is an event stream, in displayed form. */
export interface StreamRequest {
  url: string;
  headers: Record<string, string>;
  /** Sent as JSON with POST. */
  body: object;
}

/** Something that happened after the request was sent. */
interface WireEntry {
  id: number;
  kind: "response" | "event" | "heartbeat" | "end" | "error";
  /** Milliseconds since the request was sent. */
  atMs: number;
  /** Milliseconds since the previous entry. */
  gapMs: number;
  /** The event's type, or a short description. */
  label: string;
  raw: string;
  /** The text that the event adds to the answer. Absent if it adds none. */
  words?: string;
}

export interface WireStats {
  events: number;
  firstTokenMs?: number;
  /** Text events for each second between the first and the last of them. Absent if all arrived at once. */
  tokensPerSecond?: number;
  totalMs: number;
}

export interface WireSnapshot {
  request: StreamRequest;
  entries: readonly WireEntry[];
  /** Number of older entries that are no longer kept. */
  droppedCount: number;
  stats: WireStats;
}

/** Minimum time over which text events arrive for a meaningful rate. If they arrive faster, they were read at once. */
const minRateSpanMs = 20;

/** Maximum number of entries to keep. If there are more, the older half is dropped. */
const maxEntries = 10_000;

/** Records one request and its response. */
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
    const droppedCount = this.#added - this.#entries.length;
    return { request: this.#request, entries: [...this.#entries], droppedCount, stats: this.#stats() };
  }

  #stats(): WireStats {
    const spanMs = this.#lastTokenMs - (this.#firstTokenMs ?? 0);
    return {
      events: this.#events,
      totalMs: this.#lastMs,
      ...(this.#firstTokenMs !== undefined && { firstTokenMs: this.#firstTokenMs }),
      ...(this.#texts > 1 && spanMs >= minRateSpanMs && { tokensPerSecond: ((this.#texts - 1) / spanMs) * 1_000 }),
    };
  }
}

/** Entries shown in one row: consecutive text events of one type, or a single entry. */
export interface EntryGroup extends WireEntry {
  entries: readonly WireEntry[];
}

/** Groups consecutive text events of the same type. */
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

export const toSingleGroups = (entries: readonly WireEntry[]): EntryGroup[] =>
  entries.map((entry) => ({ ...entry, entries: [entry] }));
