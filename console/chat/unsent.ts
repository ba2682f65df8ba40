import { tabStorage } from "../browser-storage.ts";
import { parseObject } from "../json.ts";
import { WaitingMessages } from "./waiting-messages.ts";

interface Stored {
  draft: string;
  waiting: readonly string[];
  tools: readonly object[];
}

/** The user's input in a conversation that isn't saved with it yet. It survives a reload of the tab. */
export class Unsent {
  draft: string;
  /** Messages that wait for the end of the current answer. */
  readonly waiting: WaitingMessages;
  /** A question that is being sent but not saved yet, because another tab holds the lock. */
  question: string | undefined;
  /** Tools that were chosen before the conversation was first saved. */
  readonly tools: readonly object[];
  #key: string;
  #stored: readonly unknown[] = [];

  /** Restores the input stored under a key. */
  constructor(key: string) {
    const stored: Partial<Stored> = parseObject(tabStorage.read(storageKey(key)) ?? "") ?? {};
    const { draft = "", waiting = [], tools = [] } = stored;
    this.draft = draft;
    this.waiting = new WaitingMessages(waiting);
    this.tools = tools;
    this.#key = key;
  }

  /** Keeps the question as a message that is not sent automatically. */
  holdQuestion(): void {
    if (this.question !== undefined) this.waiting.addHeld(this.question);
    this.question = undefined;
  }

  /**
   * Stores changes under a key, and removes them from the previous key. If the browser's storage is full, they stay on the screen.
   *
   * @param tools the chosen tools, unless they are saved with the conversation
   */
  store(key: string, tools: readonly object[]): void {
    const current = [key, tools, this.draft, this.waiting.all, this.question];
    if (current.every((value, index) => value === this.#stored[index])) return;
    this.#stored = current;
    tabStorage.remove(storageKey(this.#key));
    this.#key = key;
    const waiting = [this.question ?? [], this.waiting.all.map(({ text }) => text)].flat();
    if (this.draft === "" && waiting.length === 0 && tools.length === 0) return;
    tabStorage.write(storageKey(key), JSON.stringify({ draft: this.draft, waiting, tools } satisfies Stored));
  }
}

const storageKey = (key: string) => `unsent:${key}`;
