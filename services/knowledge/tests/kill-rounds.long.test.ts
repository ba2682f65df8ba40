import { expect, it } from "vitest";
import { killRounds } from "./kill-rounds.ts";

// The short form of `npm run test:kills`.
it("what was stored is whole and all there after the process was killed in the middle of its work", async () => {
  const report = await killRounds(1);
  expect(report).toMatchObject({ rounds: 1, faults: [] });
  expect(report.acknowledged).toBeGreaterThanOrEqual(6);
}, 90_000);
