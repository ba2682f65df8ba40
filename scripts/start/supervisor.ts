import type { ChildProcess } from "node:child_process";
import { hasEnded } from "./processes.ts";

/** How often a service is started again in a row, before it is given up. */
const maxRestarts = 8;
/** The delay before the first restart; it doubles on each further one in a row. */
const initialRestartDelayMs = 250;
const maxRestartDelayMs = 10_000;
/** A service that ran this long was well: its next end counts as the first. */
const stableAfterMs = 60_000;

/** Keeps one service running: whenever its process ends by itself, says so and starts another. */
export class Supervisor {
  readonly #name: string;
  readonly #start: () => ChildProcess;
  readonly #say: (line: string) => void;
  #child: ChildProcess;
  #startedAt = performance.now();
  #restartsInARow = 0;
  #timer: NodeJS.Timeout | undefined;
  #isWatching = false;

  /**
   * @param options.start starts the process; is called at once and on each restart
   * @param options.say gets a line for the user whenever the process has ended
   */
  constructor(options: { name: string; start: () => ChildProcess; say: (line: string) => void }) {
    this.#name = options.name;
    this.#start = options.start;
    this.#say = options.say;
    this.#child = this.#start();
  }

  /** The process that runs now, or the one that ended last. */
  get child(): ChildProcess {
    return this.#child;
  }

  /** Restarts the process from now on. Before this its end is left to whoever waits for it to be ready. */
  watch(): void {
    this.#isWatching = true;
    if (hasEnded(this.#child)) this.#onExit();
    else this.#child.once("exit", () => this.#onExit());
  }

  /** Restarts no more. The process is left as it is. */
  unwatch(): void {
    this.#isWatching = false;
    clearTimeout(this.#timer);
  }

  #onExit(): void {
    if (!this.#isWatching) return;
    if (performance.now() - this.#startedAt > stableAfterMs) this.#restartsInARow = 0;
    const how = `The ${this.#name} service ended by itself (${this.#child.signalCode ?? `exit code ${this.#child.exitCode}`})`;
    if (this.#restartsInARow === maxRestarts) {
      this.#say(`${how} ${maxRestarts + 1} times in a row and stays down; its lines above say why. The others go on.`);
      return;
    }
    this.#say(`${how}; it is started again. The others go on.`);
    const delayMs = Math.min(initialRestartDelayMs * 2 ** this.#restartsInARow, maxRestartDelayMs);
    this.#restartsInARow += 1;
    this.#timer = setTimeout(() => {
      this.#child = this.#start();
      this.#startedAt = performance.now();
      this.#child.once("exit", () => this.#onExit());
    }, delayMs);
  }
}
