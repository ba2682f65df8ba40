import { expect, test, vi } from "vitest";
import { avoidMarkingPauses } from "./configuration.ts";

test.each([
  [1, "redis://127.0.0.1:6379", 1],
  [1, "rediss://redis.test", 1],
  [2, "redis://127.0.0.1:6379", 0],
  [1, "memory:", 0],
  [1, "", 0],
])("with %i cores and RUNS_URL %j, V8's concurrent marking is turned off %i times", (cores, url, times) => {
  const setFlag = vi.fn<(flag: string) => void>();
  avoidMarkingPauses({ RUNS_URL: url }, cores, setFlag);
  expect(setFlag).toHaveBeenCalledTimes(times);
});
