import { setImmediate as nextTurn } from "node:timers/promises";
import { limits } from "@agent-backends/contract";
import { expect, test } from "vitest";
import { RequestStarts } from "./request-starts.ts";

const perTurn = limits.requestStartsPerTurn;

/** Requests of one key: `started` counts those that may run. */
function startRequests(starts: RequestStarts, keyId: string, count: number) {
  const burst = { started: 0 };
  for (let request = 0; request < count; request += 1) {
    const turn = starts.enter(keyId);
    if (turn === undefined) burst.started += 1;
    else
      void turn.then(() => {
        burst.started += 1;
      });
  }
  return burst;
}

test("requests start at once until the turn of the event loop has had its share, and then turn by turn", async () => {
  const starts = new RequestStarts();
  const burst = startRequests(starts, "a", 3 * perTurn);
  expect(burst.started).toBe(perTurn);
  await nextTurn();
  expect(burst.started).toBe(2 * perTurn);
  await nextTurn();
  await nextTurn();
  expect(burst.started).toBe(3 * perTurn);
  expect(starts.enter("a")).toBeUndefined();
});

test("a key's first request starts in the next turn, however many of another key wait", async () => {
  const starts = new RequestStarts();
  startRequests(starts, "a", 500);
  const small = startRequests(starts, "b", 1);
  expect(small.started).toBe(0);
  await nextTurn();
  expect(small.started).toBe(1);
});

test("a key with too many waiting requests is refused, another isn't", () => {
  const starts = new RequestStarts();
  startRequests(starts, "a", perTurn + limits.waitingRequestsPerKey);
  expect(() => starts.enter("a")).toThrow(/maximum of \d+ waiting requests/);
  expect(starts.enter("b")).toBeInstanceOf(Promise);
});
