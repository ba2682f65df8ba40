import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["{packages,services,console,tests,scripts}/**/*.test.ts"],
    exclude: ["**/node_modules/**", "**/dist/**"],
    testTimeout: 20_000,
    hookTimeout: 20_000,
    maxWorkers: 2,
  },
});
