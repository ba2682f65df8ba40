import { disconnects, slowReaders } from "./clients.ts";
import { idle, paced } from "./paced.ts";
import type { Scenario } from "./scenario.ts";
import { coalescedBurst, obfuscatedBurst, plainBurst, short, single } from "./throughput.ts";

/** By the name used in `--scenarios`. */
export const scenarios: Readonly<Record<string, Scenario>> = {
  burst: plainBurst,
  "burst-coalesced": coalescedBurst,
  "burst-obfuscated": obfuscatedBurst,
  short,
  single,
  paced,
  idle,
  "slow-readers": slowReaders,
  disconnects,
};
