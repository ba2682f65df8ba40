import { expect, it } from "vitest";
import { killRounds } from "./kill-rounds.ts";

it("what was stored is whole and all there after the process was killed in the middle of its work", async () => {
  const report = await killRounds(2);
  expect(report).toMatchObject({ rounds: 2, faults: [] });
  expect(report.acknowledged).toBeGreaterThanOrEqual(12);
}, 90_000);
