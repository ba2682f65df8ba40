import PQueue from "p-queue";
import type { EmbeddingMismatchError } from "../errors.ts";
import type { KnownSources } from "../knowledge-store.ts";
import type { SmallDocument } from "./documents/add-documents.ts";
import { addDocuments } from "./documents/add-documents.ts";
import { readSources } from "./documents/sources.ts";
import { Batcher } from "./table/batcher.ts";
import type { TableHandle } from "./table/table-handle.ts";

/** Chunks of one commit when many documents are waiting. */
const maxCommitChunks = 4_096;
/** Hashes of one query when many are waiting: it takes as long as a query for one. */
const maxLookupHashes = 256;

/** An open table with the work on it that is batched. */
export interface NamespaceTable extends TableHandle {
  /** Returns whether the document was stored, or why it can't be. */
  additions: Batcher<SmallDocument, boolean | EmbeddingMismatchError>;
  /** Returns the sources of a hash; `undefined` when its content is not stored. */
  lookups: Batcher<string, KnownSources | undefined>;
}

export function toNamespaceTable(handle: TableHandle): NamespaceTable {
  const additions = new Batcher({
    queue: handle.writes,
    weightOf: ({ part }: SmallDocument) => part.chunks.length,
    maxWeight: maxCommitChunks,
    work: (documents) => addDocuments(handle, documents),
  });
  const lookups = new Batcher({
    queue: new PQueue({ concurrency: 1 }),
    weightOf: () => 1,
    maxWeight: maxLookupHashes,
    work: (hashes: string[]) => readSources(handle, hashes),
  });
  return { ...handle, additions, lookups };
}
