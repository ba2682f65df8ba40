/** A message that was submitted during an answer and is sent after it. */
export interface WaitingMessage<Details = unknown> {
  id: string;
  text: string;
  /** Not sent by itself: the answer before it was stopped or failed. */
  isHeld: boolean;
  details: Details;
}

/** Maximum number of messages that wait in one conversation. */
export const maxWaitingMessages = 10;

/** The messages of one conversation that wait for the end of an answer, oldest first. */
export class WaitingMessages<Details> {
  #all: readonly WaitingMessage<Details>[] = [];

  get all(): readonly WaitingMessage<Details>[] {
    return this.#all;
  }

  get isFull(): boolean {
    return this.#all.length >= maxWaitingMessages;
  }

  add(text: string, details: Details): void {
    this.#all = [...this.#all, { id: crypto.randomUUID(), text, isHeld: false, details }];
  }

  /** Removes a message and returns it; undefined where there is none. */
  take(id: string | undefined): WaitingMessage<Details> | undefined {
    const taken = this.#all.find((message) => message.id === id);
    this.#all = this.#all.filter((message) => message !== taken);
    return taken;
  }

  /** Removes the first message that may be sent by itself and returns it. */
  takeNext(): WaitingMessage<Details> | undefined {
    return this.take(this.#all.find(({ isHeld }) => !isHeld)?.id);
  }

  /** Keeps all messages from being sent by themselves. */
  hold(): void {
    this.#all = this.#all.map((message) => ({ ...message, isHeld: true }));
  }

  /** Lets a message be sent by itself again. */
  release(id: string): void {
    this.#all = this.#all.map((message) => (message.id === id ? { ...message, isHeld: false } : message));
  }
}
