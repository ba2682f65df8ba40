import type { Prepare } from "./protocol.ts";

/** A message that was submitted during an answer and is sent after it. */
export interface WaitingMessage {
  id: string;
  text: string;
  /** Not sent by itself: the answer before it was stopped, has failed or was cut off by a reload. */
  isHeld: boolean;
  /** Absent after a reload, until the user sends it. */
  prepare?: Prepare;
}

/** Maximum number of messages that wait in one conversation. */
export const maxWaitingMessages = 10;

/** The messages of one conversation that wait for the end of an answer, oldest first. */
export class WaitingMessages {
  #all: readonly WaitingMessage[];

  /** @param held texts that waited when the page was left */
  constructor(held: readonly string[]) {
    this.#all = held.map((text) => ({ id: crypto.randomUUID(), text, isHeld: true }));
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

  /** Removes a message and returns it; undefined where there is none. */
  take(id: string): WaitingMessage | undefined {
    const taken = this.#all.find((message) => message.id === id);
    this.#all = this.#all.filter((message) => message !== taken);
    return taken;
  }

  /** Removes the first message that may be sent by itself and returns it. */
  takeNext(): { text: string; prepare: Prepare } | undefined {
    for (const { id, text, isHeld, prepare } of this.#all) {
      if (isHeld || !prepare) continue;
      this.take(id);
      return { text, prepare };
    }
    return undefined;
  }

  /** Keeps all messages from being sent by themselves. */
  hold(): void {
    this.#all = this.#all.map((message) => ({ ...message, isHeld: true }));
  }

  /** Lets a message be sent by itself again. */
  release(id: string, prepare: Prepare): void {
    this.#all = this.#all.map((message) => (message.id === id ? { ...message, isHeld: false, prepare } : message));
  }
}
