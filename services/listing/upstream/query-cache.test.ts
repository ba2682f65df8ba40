import { beforeEach, describe, expect, it } from "vitest";
import { QueryCache } from "./query-cache.ts";

let clock: number;
beforeEach(() => {
  clock = 1_000_000;
});
const createCache = (options: { ttlMs?: number; staleMs?: number; maxEntries?: number } = {}) =>
  new QueryCache<string>({ ttlMs: 100, staleMs: 10_000, maxEntries: 2, now: () => clock, ...options });
const fail = async (): Promise<never> => {
  throw new Error("down");
};
const never = async (): Promise<never> => {
  throw new Error("must not be asked");
};

describe("the cache of queries", () => {
  it("answers without asking again until the time to live is over", async () => {
    const cache = createCache();
    expect(await cache.get("a", async () => "first")).toEqual({ value: "first", at: 1_000_000 });
    clock += 99;
    expect(await cache.get("a", never)).toEqual({ value: "first", at: 1_000_000 });
    clock += 1;
    expect(await cache.get("a", async () => "second")).toEqual({ value: "second", at: 1_000_100 });
  });

  it("asks again once the clock was set back", async () => {
    const cache = createCache();
    await cache.get("a", async () => "first");
    clock -= 50;
    expect(await cache.get("a", async () => "second")).toMatchObject({ value: "second" });
  });

  it("gives the last answer while calls fail, but not for ever", async () => {
    const cache = createCache();
    await cache.get("a", async () => "first");
    clock += 5_000;
    expect(await cache.get("a", fail)).toMatchObject({ value: "first", at: 1_000_000, failure: new Error("down") });
    clock += 5_000;
    await expect(cache.get("a", fail)).rejects.toThrow("down");
  });

  it("keeps nothing with a time to live of 0", async () => {
    const cache = createCache({ ttlMs: 0 });
    await cache.get("a", async () => "first");
    expect(await cache.get("a", async () => "second")).toMatchObject({ value: "second" });
    await expect(cache.get("a", fail)).rejects.toThrow("down");
  });

  it("keeps a limited number of answers and drops the oldest first", async () => {
    const cache = createCache();
    for (const key of ["a", "b", "c"]) await cache.get(key, async () => key);
    expect(await cache.get("b", never)).toMatchObject({ value: "b" });
    expect(await cache.get("a", async () => "again")).toMatchObject({ value: "again" });
  });

  it("makes one call for equal questions that come at the same time", async () => {
    const cache = createCache();
    const gate = Promise.withResolvers<string>();
    let calls = 0;
    const load = () => {
      calls++;
      return gate.promise;
    };
    const answers = Promise.all([cache.get("a", load), cache.get("a", load), cache.get("a", load)]);
    gate.resolve("shared");
    expect((await answers).map(({ value }) => value)).toEqual(["shared", "shared", "shared"]);
    expect(calls).toBe(1);
  });

  it("lets one who waits leave without harm to the others, and aborts the call when the last has left", async () => {
    const cache = createCache();
    let flight: AbortSignal | undefined;
    const load = (signal: AbortSignal) => {
      flight = signal;
      return new Promise<string>((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    };
    const first = new AbortController();
    const second = new AbortController();
    const one = cache.get("a", load, first.signal);
    const other = cache.get("a", load, second.signal);
    first.abort(new Error("first left"));
    await expect(one).rejects.toThrow("first left");
    expect(flight?.aborted).toBe(false);
    second.abort(new Error("second left"));
    await expect(other).rejects.toThrow("second left");
    expect(flight?.aborted).toBe(true);
    expect(await cache.get("a", async () => "fresh")).toMatchObject({ value: "fresh" });
  });
});
