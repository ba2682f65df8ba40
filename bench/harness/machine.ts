import { execFileSync } from "node:child_process";
import { availableParallelism, cpus, release, totalmem } from "node:os";
import { pinned } from "./processes.ts";

export interface Machine {
  processor: string;
  /** Number of usable cores, as limited by `taskset`. */
  cores: number;
  /** Absent in older results. */
  coresInAll?: number;
  memoryGigabytes: number;
  kernel: string;
  node: string;
  compiler: string;
  pinning: string;
  versions: Record<string, string>;
}

export function describeMachine(subjects: readonly { name: string; version: () => string }[]): Machine {
  const processors = cpus();
  return {
    processor: processors[0]?.model.trim() ?? "unknown",
    cores: availableParallelism(),
    coresInAll: processors.length,
    memoryGigabytes: Math.round(totalmem() / 2 ** 30),
    kernel: `Linux ${release()}`,
    node: process.version,
    compiler: execFileSync("cc", ["--version"], { encoding: "utf8" }).split("\n")[0] ?? "",
    pinning: pinned ? "server on core 0, load and provider on core 1" : "none: the machine has one core",
    versions: Object.fromEntries(subjects.map(({ name, version }) => [name, version()])),
  };
}
