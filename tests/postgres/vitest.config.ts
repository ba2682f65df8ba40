import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/** The knowledge service's own tests, with PostgreSQL for its store. `npm run test:postgres` runs them, and so does the nightly run. */
export default defineConfig({
  test: {
    root: fileURLToPath(new URL("../..", import.meta.url)),
    include: ["services/knowledge/tests/**/*.test.ts", "services/knowledge/tests/store/postgres/*.long.ts"],
    // What these look at are files on the disk or objects in a bucket, or stores of their own.
    exclude: [
      "**/tests/{replicas,small-stores}/**",
      "**/tests/store/**/*.test.ts",
      "**/tests/{kill-rounds,purge}.test.ts",
      "**/tests/jobs/{job-folder,jobs,lance-jobs}.test.ts",
    ],
    globalSetup: fileURLToPath(new URL("start-database.ts", import.meta.url)),
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
    maxWorkers: 2,
    env: { NODE_COMPILE_CACHE: fileURLToPath(new URL("../../node_modules/.cache/compile", import.meta.url)) },
  },
});
