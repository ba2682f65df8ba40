import { defineConfig } from "vitest/config";

/** `npm run test:workers`: workers that are killed and replaced again and again under load, alone and over replicas. */
export default defineConfig({
  test: {
    root: import.meta.dirname,
    include: ["*.rounds.ts"],
    testTimeout: 300_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
