import { arrivals } from "./arrivals.ts";
import { firstDelta } from "./first-delta.ts";
import { ingest } from "./ingest.ts";
import { largeFile } from "./large-file.ts";
import { manyNamespaces } from "./namespaces.ts";
import type { Scenario } from "./scenario.ts";
import { searchOf } from "./search.ts";
import { smallDocuments } from "./small-documents.ts";

export const scenarios: Record<string, Scenario> = {
  ingest,
  "large-file": largeFile,
  "small-documents": smallDocuments,
  "search-500": searchOf(500, { mostMs: 2, leastRecall: 0.99, leastPerSecond: 800 }),
  "search-5000": searchOf(5_000, { mostMs: 3, leastRecall: 0.99 }),
  "search-100000": searchOf(100_000, { mostMs: 8, leastRecall: 0.99 }),
  "search-1000000": searchOf(1_000_000, { mostMs: 30, leastRecall: 0.98 }),
  arrivals,
  namespaces: manyNamespaces,
  stream: firstDelta,
};
