import { join } from "node:path";

export const benchDirectory = join(import.meta.dirname, "..");
export const rootDirectory = join(benchDirectory, "..");
/** Compiled programs, requests and configurations. All of it can be deleted. */
export const buildDirectory = join(benchDirectory, "build");
export const pageFile = join(rootDirectory, "docs", "benchmarks.md");
