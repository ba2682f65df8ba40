import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/** Faults on purpose: too long for every run of the tests. `npm run test:faults` runs them, and so does the nightly run. */
export default defineConfig({
  test: {
    root: fileURLToPath(new URL("../..", import.meta.url)),
    include: ["tests/faults/**/*.faults.ts"],
    testTimeout: 600_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
    env: { NODE_COMPILE_CACHE: fileURLToPath(new URL("../../node_modules/.cache/compile", import.meta.url)) },
  },
});
