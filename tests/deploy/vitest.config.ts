import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/** The deploy kit, with programs of its own: `npm run test:deploy` runs it, and so does the nightly run. */
export default defineConfig({
  test: {
    root: fileURLToPath(new URL("../..", import.meta.url)),
    include: ["tests/deploy/*.e2e.ts"],
    globalSetup: "tests/deploy/install.ts",
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
