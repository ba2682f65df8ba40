import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** What report-memory.mjs writes: bytes after a full collection, seconds since the process began, and open handles by their kind. */
export interface Sample {
  seconds: number;
  rss: number;
  heapUsed: number;
  external: number;
  handles: Record<string, number>;
}

/** Node's arguments and environment for a process that appends a sample of its memory to a file at each interval. */
export function reportMemory(file: string, intervalMs: number) {
  writeFileSync(file, "");
  return {
    args: ["--expose-gc", "--import", join(import.meta.dirname, "report-memory.mjs")],
    environment: { SOAK_FILE: file, SOAK_INTERVAL_MS: String(intervalMs) },
  };
}

export function readSamples(file: string): Sample[] {
  const lines = readFileSync(file, "utf8").split("\n");
  return lines.filter(Boolean).map((line) => JSON.parse(line) as Sample);
}
