const intervalMs = 10;

/** Measures the response time of a service's `/health`. */
export class HealthWatch {
  readonly #url: string;
  readonly #latenciesMs: number[] = [];
  #isStopped = false;
  #watching: Promise<void>;

  constructor(baseUrl: string) {
    this.#url = `${baseUrl}/health`;
    this.#watching = this.#watch();
  }

  /** Returns the slowest response since the last call, in milliseconds. */
  takeSlowest(): number {
    const slowest = Math.max(0, ...this.#recent);
    this.#recent = [];
    return slowest;
  }

  #recent: number[] = [];

  async stop(): Promise<{ count: number; p50: number; p99: number; max: number }> {
    this.#isStopped = true;
    await this.#watching;
    const sorted = this.#latenciesMs.sort((one, other) => one - other);
    const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
    return { count: sorted.length, p50: at(0.5), p99: at(0.99), max: at(1) };
  }

  async #watch(): Promise<void> {
    while (!this.#isStopped) {
      const startedAt = performance.now();
      const response = await fetch(this.#url);
      await response.arrayBuffer();
      const latencyMs = performance.now() - startedAt;
      this.#latenciesMs.push(latencyMs);
      this.#recent.push(latencyMs);
      await new Promise((resolve) => setTimeout(resolve, intervalMs));
    }
  }
}
