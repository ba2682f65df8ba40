import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/** CopilotKit in front of the relays: `npm run test:copilotkit` runs it, and so does the nightly run. */
export default defineConfig({
  test: {
    root: fileURLToPath(new URL("../..", import.meta.url)),
    include: ["tests/copilotkit/*.e2e.ts"],
    globalSetup: "tests/copilotkit/install.ts",
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
