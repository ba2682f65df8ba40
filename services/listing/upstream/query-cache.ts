/** A value, and when it was fetched (milliseconds since the epoch). */
export interface Kept<Value> {
  value: Value;
  at: number;
}

interface Flight<Value> {
  result: Promise<Kept<Value>>;
  abort: AbortController;
  waiting: number;
}

/**
 * Answers by key: equal questions share one call, an answer is fresh for `ttlMs`, and while calls fail the last one is
 * given for up to `staleMs`. It holds at most `maxEntries`; the oldest goes first. With a `ttlMs` of 0 nothing is kept.
 */
export class QueryCache<Value> {
  readonly #options: { ttlMs: number; staleMs: number; maxEntries: number; now: () => number };
  readonly #kept = new Map<string, Kept<Value>>();
  readonly #flights = new Map<string, Flight<Value>>();

  constructor(options: { ttlMs: number; staleMs: number; maxEntries: number; now: () => number }) {
    this.#options = options;
  }

  /** What is kept for a key and still fresh. */
  fresh(key: string): Kept<Value> | undefined {
    const kept = this.#kept.get(key);
    const age = kept ? this.#options.now() - kept.at : Number.POSITIVE_INFINITY;
    // What seems to come from the future was kept before the clock was set back.
    return age >= 0 && age < this.#options.ttlMs ? kept : undefined;
  }

  /**
   * The value for a key. `failure` is there when the value is old because `load` threw.
   *
   * @param load is aborted once everyone who waits for it has aborted
   * @throws what `load` throws, when there is no older value; the signal's reason once it aborts
   */
  async get(
    key: string,
    load: (signal: AbortSignal) => Promise<Value>,
    signal?: AbortSignal,
  ): Promise<Kept<Value> & { failure?: unknown }> {
    signal?.throwIfAborted();
    const fresh = this.fresh(key);
    if (fresh) return fresh;
    const kept = this.#kept.get(key);
    try {
      return await this.#share(key, load, signal);
    } catch (failure) {
      signal?.throwIfAborted();
      if (kept && this.#options.now() - kept.at < this.#options.staleMs) return { ...kept, failure };
      throw failure;
    }
  }

  async #share(key: string, load: (signal: AbortSignal) => Promise<Value>, signal?: AbortSignal): Promise<Kept<Value>> {
    const flight = this.#flights.get(key) ?? this.#start(key, load);
    flight.waiting++;
    const gone = Promise.withResolvers<never>();
    const leave = () => gone.reject(signal?.reason);
    signal?.addEventListener("abort", leave, { once: true });
    try {
      return await Promise.race([flight.result, gone.promise]);
    } finally {
      signal?.removeEventListener("abort", leave);
      flight.waiting--;
      if (flight.waiting === 0) this.#end(key, flight);
    }
  }

  #start(key: string, load: (signal: AbortSignal) => Promise<Value>): Flight<Value> {
    const abort = new AbortController();
    const result = load(abort.signal).then((value) => this.#keep(key, value));
    const flight = { result, abort, waiting: 0 };
    this.#flights.set(key, flight);
    // Whoever left before it failed has taken their catch along.
    result.catch(() => {});
    return flight;
  }

  #end(key: string, flight: Flight<Value>): void {
    if (this.#flights.get(key) === flight) this.#flights.delete(key);
    flight.abort.abort();
  }

  #keep(key: string, value: Value): Kept<Value> {
    const kept = { value, at: this.#options.now() };
    if (this.#options.ttlMs === 0) return kept;
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > this.#options.maxEntries && oldest !== undefined) this.#kept.delete(oldest);
    return kept;
  }
}
