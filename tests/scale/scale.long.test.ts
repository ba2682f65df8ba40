import { spawnSync } from "node:child_process";
import { expect, test } from "vitest";
import { root } from "../observability/services.ts";

// The short form of `npm run test:scale`: the set-up in which most differs from one process on a folder.
const args = [
  "run",
  "--config",
  "tests/scale/vitest.config.ts",
  "services/knowledge/tests/documents/documents.test.ts",
  "--testNamePattern",
  "deleted for good|by source, fields and time",
];

test("documents behave the same with three replicas on PostgreSQL", () => {
  const env = { ...process.env, TEST_SETUP: "postgres" };
  const { status, stdout, stderr } = spawnSync("vitest", args, { cwd: root, env, encoding: "utf8" });
  expect(status, stdout + stderr).toBe(0);
  // A whole run of tests, which has its own limits.
}, 300_000);
