import { defineConfig } from "vitest/config";
import { LongestFirst } from "./tests/longest-first.ts";
import { compileCache } from "./tests/own-command.ts";

const isShuffled = process.argv.some((argument) => argument.startsWith("--sequence.shuffle"));

export default defineConfig({
  test: {
    include: ["{packages,services,console,cli,tests,scripts}/**/*.test.ts"],
    exclude: ["**/node_modules/**", "**/dist/**"],
    globalSetup: ["console/tests/unpack-browser.ts", "tests/fill-compile-cache.ts", "tests/temporary-folder.ts"],
    // Only what hangs takes so long, on however slow and busy a machine.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
    // Two more than CI's machines have cores: each spends a third of its time waiting for what it has started.
    maxWorkers: 4,
    sequence: isShuffled ? {} : { sequencer: LongestFirst },
    // No test changes what other files see of the process; to load all modules again for each file doubles the time.
    isolate: false,
    env: compileCache,
  },
});
