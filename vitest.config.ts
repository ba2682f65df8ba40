import { join } from "node:path";
import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["{packages,services,console,tests,scripts}/**/*.test.ts"],
    exclude: ["**/node_modules/**", "**/dist/**"],
    testTimeout: 20_000,
    hookTimeout: 20_000,
    maxWorkers: 2,
    // No test changes what other files see of the process; to load all modules again for each file doubles the time.
    isolate: false,
    // Services that tests start need not compile what another test's have compiled.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, "node_modules/.cache/compile") },
  },
});
