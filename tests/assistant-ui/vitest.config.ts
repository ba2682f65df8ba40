import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/**
 * assistant-ui in front of the agents: `npm run test:assistant-ui` runs it. package.json holds one of its packages back, because later
 * versions in the range that the others ask for lack what they import.
 */
export default defineConfig({
  test: {
    root: fileURLToPath(new URL("../..", import.meta.url)),
    include: ["tests/assistant-ui/*.e2e.ts"],
    globalSetup: "tests/assistant-ui/install.ts",
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
