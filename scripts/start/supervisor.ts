import type { ChildProcess } from "node:child_process";
import { hasEnded } from "./processes.ts";

/** Maximum restarts in a row. After that the service stays down. */
const maxRestarts = 8;
/** Delay before the first restart. Doubles on each further one in a row. */
const initialRestartDelayMs = 250;
const maxRestartDelayMs = 10_000;
/** After this uptime a restart counts as the first one again. */
const stableAfterMs = 60_000;

/** Restarts one service whenever its process ends unexpectedly, and reports it. */
export class Supervisor {
  readonly #name: string;
  readonly #start: () => ChildProcess;
  readonly #report: (line: string) => void;
  #child: ChildProcess;
  #startedAt = performance.now();
  #restartsInARow = 0;
  #timer: NodeJS.Timeout | undefined;
  #isWatching = false;

  /**
   * @param options.start starts the process; called at once and on each restart
   * @param options.report receives a line for the user whenever the process has ended
   */
  constructor(options: { name: string; start: () => ChildProcess; report: (line: string) => void }) {
    this.#name = options.name;
    this.#start = options.start;
    this.#report = options.report;
    this.#child = this.#start();
  }

  /** The running process, or the last one that ended. */
  get child(): ChildProcess {
    return this.#child;
  }

  /** Starts restarting the process. Before that, `untilReady` handles its end. */
  watch(): void {
    this.#isWatching = true;
    if (hasEnded(this.#child)) this.#onExit();
    else this.#child.once("exit", () => this.#onExit());
  }

  /** Stops restarting. Doesn't touch the process. */
  unwatch(): void {
    this.#isWatching = false;
    clearTimeout(this.#timer);
  }

  #onExit(): void {
    if (!this.#isWatching) return;
    if (performance.now() - this.#startedAt > stableAfterMs) this.#restartsInARow = 0;
    const how = `The ${this.#name} service ended by itself (${this.#child.signalCode ?? `exit code ${this.#child.exitCode}`})`;
    if (this.#restartsInARow === maxRestarts) {
      this.#report(
        `${how} ${maxRestarts + 1} times in a row and stays down; its lines above say why. The others go on.`,
      );
      return;
    }
    this.#report(`${how}; it is started again. The others go on.`);
    const delayMs = Math.min(initialRestartDelayMs * 2 ** this.#restartsInARow, maxRestartDelayMs);
    this.#restartsInARow += 1;
    this.#timer = setTimeout(() => {
      this.#child = this.#start();
      this.#startedAt = performance.now();
      this.#child.once("exit", () => this.#onExit());
    }, delayMs);
  }
}
