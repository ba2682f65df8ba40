import type { Prepare } from "./protocol.ts";

/** A message that was submitted while an answer was streaming. */
export interface WaitingMessage {
  id: string;
  text: string;
  /** Not sent automatically, because the previous answer was stopped (in any tab), failed or was cut off by a reload. */
  isHeld: boolean;
  /** Absent after a reload, until the user sends it. */
  prepare?: Prepare;
}

/** Maximum number of messages that wait in one conversation. */
const maxWaitingMessages = 10;

/** First-in, first-out queue of one conversation. */
export class WaitingMessages {
  #all: readonly WaitingMessage[];

  /** @param texts messages that were waiting when the page was left */
  constructor(texts: readonly string[]) {
    this.#all = texts.map((text) => ({ id: crypto.randomUUID(), text, isHeld: true }));
  }

  get all(): readonly WaitingMessage[] {
    return this.#all;
  }

  get isFull(): boolean {
    return this.#all.length >= maxWaitingMessages;
  }

  add(text: string, prepare: Prepare): void {
    this.#all = [...this.#all, { id: crypto.randomUUID(), text, isHeld: false, prepare }];
  }

  /** Adds a message at the front that isn't sent automatically. */
  addHeld(text: string): void {
    this.#all = [{ id: crypto.randomUUID(), text, isHeld: true }, ...this.#all];
  }

  take(id: string): WaitingMessage | undefined {
    const taken = this.#all.find((message) => message.id === id);
    this.#all = this.#all.filter((message) => message !== taken);
    return taken;
  }

  /** Removes and returns the first message that is sent automatically. */
  takeNext(): { text: string; prepare: Prepare } | undefined {
    for (const { id, text, isHeld, prepare } of this.#all) {
      if (isHeld || !prepare) continue;
      this.take(id);
      return { text, prepare };
    }
    return undefined;
  }

  /** Stops all messages from being sent automatically. */
  hold(): void {
    this.#all = this.#all.map((message) => ({ ...message, isHeld: true }));
  }

  /** Lets a message be sent automatically again. */
  release(id: string, prepare: Prepare): void {
    this.#all = this.#all.map((message) => (message.id === id ? { ...message, isHeld: false, prepare } : message));
  }
}
