import { WaitingMessages } from "./waiting-messages.ts";

/** What outlives a reload of the tab. */
interface Kept {
  draft: string;
  waiting: readonly string[];
  tools: readonly object[];
}

/** What of a conversation is in its tab alone: it is not asked, or not saved yet. It outlives a reload of the tab. */
export class Unsent {
  /** What is written and not submitted. */
  draft: string;
  /** What is submitted and waits for the end of an answer. */
  readonly waiting: WaitingMessages;
  /** What was asked and is not saved yet, because another tab is asking. */
  question: string | undefined;
  /** The tools that were chosen before there was a conversation to save them with. */
  readonly tools: readonly object[];
  #key: string;
  #seen: readonly unknown[] = [];

  /** Takes over what was kept under a key. */
  constructor(key: string) {
    const { draft = "", waiting = [], tools = [] } = read(key);
    this.draft = draft;
    this.waiting = new WaitingMessages(waiting);
    this.tools = tools;
    this.#key = key;
  }

  /**
   * Keeps what has changed under a key, and under no other. Where the browser has no room for it, it is on the screen alone.
   *
   * @param tools those that are not saved elsewhere
   */
  keep(key: string, tools: readonly object[]): void {
    const seen = [key, tools, this.draft, this.waiting.all, this.question];
    if (seen.every((value, index) => value === this.#seen[index])) return;
    this.#seen = seen;
    sessionStorage.removeItem(storageKey(this.#key));
    this.#key = key;
    const waiting = [this.question ?? [], this.waiting.all.map(({ text }) => text)].flat();
    if (this.draft === "" && waiting.length === 0 && tools.length === 0) return;
    try {
      sessionStorage.setItem(storageKey(key), JSON.stringify({ draft: this.draft, waiting, tools } satisfies Kept));
    } catch (error) {
      if (!(error instanceof DOMException) || error.name !== "QuotaExceededError") throw error;
    }
  }
}

const storageKey = (key: string) => `unsent:${key}`;

function read(key: string): Partial<Kept> {
  try {
    return JSON.parse(sessionStorage.getItem(storageKey(key)) ?? "{}");
  } catch {
    // It was written by another version of the page.
    return {};
  }
}
