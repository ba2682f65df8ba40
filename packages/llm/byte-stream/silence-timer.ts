/** Calls back when nothing has been heard for a time. Refreshing it costs no new timer. */
export class SilenceTimer {
  readonly #onSilence: () => void;
  #timer: NodeJS.Timeout;

  constructor(timeoutMs: number, onSilence: () => void) {
    this.#onSilence = onSilence;
    this.#timer = setTimeout(onSilence, timeoutMs);
  }

  /** Something was heard: the time starts anew. */
  heard(): void {
    this.#timer.refresh();
  }

  /** Starts anew with another time. */
  restart(timeoutMs: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#onSilence, timeoutMs);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }
}
