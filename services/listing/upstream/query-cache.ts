/** `at` is the time when the value was fetched, in milliseconds since the epoch. */
export interface CacheEntry<Value> {
  value: Value;
  at: number;
}

interface Flight<Value> {
  result: Promise<CacheEntry<Value>>;
  abort: AbortController;
  waiting: number;
}

/**
 * A cache that shares one call between concurrent requests for a key. Values are fresh for `ttlMs`. While calls fail, the last value is
 * returned for up to `staleMs`. Evicts the oldest entry beyond `maxEntries`. A `ttlMs` of 0 turns the cache off.
 */
export class QueryCache<Value> {
  readonly #options: { ttlMs: number; staleMs: number; maxEntries: number; now: () => number };
  readonly #entries = new Map<string, CacheEntry<Value>>();
  readonly #flights = new Map<string, Flight<Value>>();

  constructor(options: { ttlMs: number; staleMs: number; maxEntries: number; now: () => number }) {
    this.#options = options;
  }

  getFresh(key: string): CacheEntry<Value> | undefined {
    const entry = this.#entries.get(key);
    const age = entry ? this.#options.now() - entry.at : Number.POSITIVE_INFINITY;
    // A negative age means the clock was set back after the value was stored.
    return age >= 0 && age < this.#options.ttlMs ? entry : undefined;
  }

  /**
   * Returns the value for a key. `failure` is set if the value is stale because `load` threw.
   *
   * @param load aborted once every waiting caller has aborted
   * @throws errors of `load` if there is no older value; the signal's reason once it aborts
   */
  async get(
    key: string,
    load: (signal: AbortSignal) => Promise<Value>,
    signal?: AbortSignal,
  ): Promise<CacheEntry<Value> & { failure?: unknown }> {
    signal?.throwIfAborted();
    const fresh = this.getFresh(key);
    if (fresh) return fresh;
    const entry = this.#entries.get(key);
    try {
      return await this.#share(key, load, signal);
    } catch (failure) {
      signal?.throwIfAborted();
      if (entry && this.#options.now() - entry.at < this.#options.staleMs) return { ...entry, failure };
      throw failure;
    }
  }

  async #share(
    key: string,
    load: (signal: AbortSignal) => Promise<Value>,
    signal?: AbortSignal,
  ): Promise<CacheEntry<Value>> {
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
    const result = load(abort.signal).then((value) => this.#store(key, value));
    const flight = { result, abort, waiting: 0 };
    this.#flights.set(key, flight);
    // Callers that left no longer handle the rejection.
    result.catch(() => {});
    return flight;
  }

  #end(key: string, flight: Flight<Value>): void {
    if (this.#flights.get(key) === flight) this.#flights.delete(key);
    flight.abort.abort();
  }

  #store(key: string, value: Value): CacheEntry<Value> {
    const entry = { value, at: this.#options.now() };
    if (this.#options.ttlMs === 0) return entry;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > this.#options.maxEntries && oldest !== undefined) this.#entries.delete(oldest);
    return entry;
  }
}
