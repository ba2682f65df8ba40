import { limits } from "@agent-backends/contract";

/**
 * Leaves a provider alone that failed several times in a row. After `limits.circuitOpenMs` it lets one request through as a
 * probe, and another one each time the same span passes without a success. A success closes it.
 */
export class CircuitBreaker {
  readonly #now: () => number;
  #failures = 0;
  #openUntilMs = 0;

  constructor(now: () => number) {
    this.#now = now;
  }

  get state(): "closed" | "open" | "half-open" {
    if (this.#failures < limits.circuitFailures) return "closed";
    return this.#now() < this.#openUntilMs ? "open" : "half-open";
  }

  /** When a probe may pass, as the clock tells it. */
  get openUntilMs(): number {
    return this.#openUntilMs;
  }

  /** Call before a request. A request in the half-open state is the probe. */
  enter(): void {
    if (this.state !== "closed") this.#open();
  }

  /** Returns whether this closes the circuit. */
  succeeded(): boolean {
    const wasClosed = this.state === "closed";
    this.#failures = 0;
    return !wasClosed;
  }

  /** Returns whether this opens the circuit. A probe that fails keeps it open. */
  failed(): boolean {
    this.#failures += 1;
    if (this.#failures >= limits.circuitFailures) this.#open();
    return this.#failures === limits.circuitFailures;
  }

  #open(): void {
    this.#openUntilMs = this.#now() + limits.circuitOpenMs;
  }
}
