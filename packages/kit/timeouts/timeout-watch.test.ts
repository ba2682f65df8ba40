import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { TimeoutWatch } from "./timeout-watch.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test("calls back for each activity that was silent, again and again until it stops", () => {
  const watch = new TimeoutWatch(1_600);
  const [first, second] = [vi.fn(), vi.fn()];
  const [heard, silent] = [watch.watch(first), watch.watch(second)];
  for (let step = 0; step < 10; step++) {
    vi.advanceTimersByTime(1_000);
    heard.restart();
  }
  expect(first).not.toHaveBeenCalled();
  expect(second.mock.calls.length).toBeGreaterThanOrEqual(5);
  silent.stop();
  heard.stop();
  second.mockClear();
  vi.advanceTimersByTime(10_000);
  expect([first.mock.calls, second.mock.calls]).toEqual([[], []]);
  expect(vi.getTimerCount()).toBe(0);
});

test("is never early, and late by a sixteenth at most", () => {
  const watch = new TimeoutWatch(1_600);
  watch.watch(() => undefined);
  vi.advanceTimersByTime(99);
  const onTimeout = vi.fn();
  watch.watch(onTimeout);
  vi.advanceTimersByTime(1_599);
  expect(onTimeout).not.toHaveBeenCalled();
  vi.advanceTimersByTime(102);
  expect(onTimeout).toHaveBeenCalledOnce();
});

test("an activity may stop others and itself from its callback", () => {
  const watch = new TimeoutWatch(160);
  const calls: number[] = [];
  const all = [0, 1, 2].map((number) =>
    watch.watch(() => {
      calls.push(number);
      for (const each of all) each.stop();
    }),
  );
  vi.advanceTimersByTime(400);
  expect(calls).toHaveLength(1);
});
