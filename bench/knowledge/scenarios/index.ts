import { arrivals } from "./arrivals.ts";
import { firstDelta } from "./first-delta.ts";
import { ingest } from "./ingest.ts";
import { largeFile } from "./large-file.ts";
import { manyNamespaces } from "./namespaces.ts";
import type { Scenario } from "./scenario.ts";
import { createSearchScenario } from "./search.ts";
import { smallDocuments } from "./small-documents.ts";

export const scenarios: Record<string, Scenario> = {
  ingest,
  "large-file": largeFile,
  "small-documents": smallDocuments,
  "search-500": createSearchScenario(500, { maxMs: 2, minRecall: 0.99, minPerSecond: 800 }),
  "search-5000": createSearchScenario(5_000, { maxMs: 3, minRecall: 0.99 }),
  "search-100000": createSearchScenario(100_000, { maxMs: 8, minRecall: 0.99 }),
  "search-1000000": createSearchScenario(1_000_000, { maxMs: 30, minRecall: 0.98 }),
  arrivals,
  namespaces: manyNamespaces,
  stream: firstDelta,
};
