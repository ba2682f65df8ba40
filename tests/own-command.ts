import { fileURLToPath } from "node:url";
import type { ViteUserConfig } from "vitest/config";
import { defineConfig } from "vitest/config";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Services started by tests don't need to compile what those of another test have compiled. */
export const compileCache = { NODE_COMPILE_CACHE: `${root}node_modules/.cache/compile` };

/** The configuration of tests that only run with their own command. Paths are relative to the project's root. */
export const configureOwnCommand = (test: NonNullable<ViteUserConfig["test"]>): ViteUserConfig =>
  defineConfig({ test: { root, testTimeout: 60_000, hookTimeout: 60_000, ...test } });
