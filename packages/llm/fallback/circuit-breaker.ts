import { limits } from "@agent-backends/contract";

/**
 * Stops sending requests to a provider that failed several times in a row. After `limits.circuitOpenMs` it lets one request through as a
 * probe, and then another one after each such interval without a success. A success closes the circuit.
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

  /** Time after which a probe may pass. */
  get openUntilMs(): number {
    return this.#openUntilMs;
  }

  /** Call before a request. A request in the half-open state is the probe. */
  enter(): void {
    if (this.state !== "closed") this.#open();
  }

  /** Records a success. Returns whether it closes the circuit. */
  succeeded(): boolean {
    const wasClosed = this.state === "closed";
    this.#failures = 0;
    return !wasClosed;
  }

  /** Records a failure. Returns whether it opens the circuit. A failed probe keeps it open. */
  failed(): boolean {
    this.#failures += 1;
    if (this.#failures >= limits.circuitFailures) this.#open();
    return this.#failures === limits.circuitFailures;
  }

  #open(): void {
    this.#openUntilMs = this.#now() + limits.circuitOpenMs;
  }
}
