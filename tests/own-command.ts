import { fileURLToPath } from "node:url";
import type { ViteUserConfig } from "vitest/config";
import { defineConfig } from "vitest/config";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Services that tests start need not compile what another test's have compiled. */
export const compileCache = { NODE_COMPILE_CACHE: `${root}node_modules/.cache/compile` };

/** The configuration of tests that only a command of their own runs. Paths are from the project's root. */
export const configureOwnCommand = (test: NonNullable<ViteUserConfig["test"]>): ViteUserConfig =>
  defineConfig({ test: { root, testTimeout: 60_000, hookTimeout: 60_000, ...test } });
