import { expect, test } from "vitest";
import { parseRetryAfterMs } from "./retry.ts";

const nowMs = Date.parse("2026-11-22T12:00:00Z");

test.each([
  [{ "retry-after": "3" }, 3_000],
  [{ "retry-after": "0.5" }, 500],
  [{ "retry-after": "Sun, 22 Nov 2026 12:00:09 GMT" }, 9_000],
  [{ "retry-after": "Sun, 22 Nov 2026 11:00:00 GMT" }, 0],
  [{ "retry-after": "3", "retry-after-ms": "250" }, 250],
  [{ "retry-after": "-5" }, undefined],
  [{ "retry-after": "soon 5" }, undefined],
  [{}, undefined],
])("%j asks for a delay of %s ms", (headers, delayMs) => {
  expect(parseRetryAfterMs(headers, nowMs)).toBe(delayMs);
});
