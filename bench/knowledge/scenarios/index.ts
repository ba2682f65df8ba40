import { arrivals } from "./arrivals.ts";
import { firstDelta } from "./first-delta.ts";
import { ingest } from "./ingest.ts";
import { largeFile } from "./large-file.ts";
import { manyNamespaces } from "./namespaces.ts";
import type { Scenario } from "./scenario.ts";
import { search } from "./search.ts";
import { smallDocuments } from "./small-documents.ts";

export const scenarios: Record<string, Scenario> = {
  ingest,
  "large-file": largeFile,
  "small-documents": smallDocuments,
  search,
  arrivals,
  namespaces: manyNamespaces,
  stream: firstDelta,
};
