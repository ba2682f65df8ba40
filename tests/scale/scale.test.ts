import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { root } from "../observability/services.ts";
import { setUps } from "./set-ups.ts";

// The short form of `npm run test:scale`.
const args = [
  "run",
  "--config",
  "tests/scale/vitest.config.ts",
  "services/knowledge/tests/documents/documents.test.ts",
  "--testNamePattern",
  "deleted for good|by source, fields and time",
];

test.each(setUps.filter((name) => name !== "folder"))("documents behave the same with the set-up %s", (TEST_SETUP) => {
  const { status, stdout, stderr } = spawnSync("vitest", args, {
    cwd: root,
    env: { ...process.env, TEST_SETUP },
    encoding: "utf8",
  });
  expect(status, stdout + stderr).toBe(0);
});
