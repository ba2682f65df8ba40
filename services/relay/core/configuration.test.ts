import { expect, test, vi } from "vitest";
import { avoidMarkingPauses } from "./configuration.ts";

const { availableParallelism, setFlagsFromString } = vi.hoisted(() => ({
  availableParallelism: vi.fn<() => number>(),
  setFlagsFromString: vi.fn(),
}));
vi.mock("node:os", async (original) => ({ ...(await original<object>()), availableParallelism }));
vi.mock("node:v8", async (original) => ({ ...(await original<object>()), setFlagsFromString }));

test.each([
  [1, "redis://127.0.0.1:6379", 1],
  [1, "rediss://redis.test", 1],
  [2, "redis://127.0.0.1:6379", 0],
  [1, "memory:", 0],
  [1, "", 0],
])("with %i cores and RUNS_URL %j, V8's concurrent marking is turned off %i times", (cores, url, times) => {
  availableParallelism.mockReturnValue(cores);
  setFlagsFromString.mockClear();
  avoidMarkingPauses({ RUNS_URL: url });
  expect(setFlagsFromString).toHaveBeenCalledTimes(times);
});
