import { limits } from "@agent-backends/contract";
import { expect, test } from "vitest";
import { CircuitBreaker } from "./circuit-breaker.ts";

function failing(times: number) {
  let nowMs = 1_000;
  const breaker = new CircuitBreaker(() => nowMs);
  const opened = Array.from({ length: times }, () => breaker.failed());
  const pass = (ms: number) => {
    nowMs += ms;
  };
  return { breaker, opened, pass };
}

test("opens after as many failures in a row as the limit says, and reports it once", () => {
  const { breaker, opened } = failing(limits.circuitFailures + 1);
  expect(opened.indexOf(true)).toBe(limits.circuitFailures - 1);
  expect(opened.filter(Boolean)).toHaveLength(1);
  expect(breaker.state).toBe("open");
});

test("stays closed when a success comes between the failures", () => {
  const { breaker } = failing(limits.circuitFailures - 1);
  expect(breaker.succeeded()).toBe(false);
  breaker.failed();
  expect(breaker.state).toBe("closed");
});

test("lets one probe through at a time, and closes when it succeeds", () => {
  const { breaker, pass } = failing(limits.circuitFailures);
  pass(limits.circuitOpenMs);
  expect(breaker.state).toBe("half-open");
  breaker.enter();
  expect(breaker.state).toBe("open");
  pass(limits.circuitOpenMs);
  expect(breaker.state).toBe("half-open");
  expect(breaker.succeeded()).toBe(true);
  expect(breaker.state).toBe("closed");
});

test("stays open when the probe fails", () => {
  const { breaker, pass } = failing(limits.circuitFailures);
  pass(limits.circuitOpenMs);
  breaker.enter();
  pass(limits.circuitOpenMs - 1);
  expect(breaker.failed()).toBe(false);
  pass(limits.circuitOpenMs - 1);
  expect(breaker.state).toBe("open");
});
