import { analyzeChunk } from "../../terms.ts";
import { vectorFromArray } from "../table/arrow.ts";
import { commit } from "../table/commit.ts";
import { columns, completeTermsMetadata, readSchema } from "../table/schema.ts";
import type { TableHandle } from "../table/table-handle.ts";
import { ensureTermsIndex, recordLanguages } from "../table/table-handle.ts";
import { fillColumn, writeDurably } from "./fill-column.ts";

/** Number of rows per commit. Each commit reads the keys of all rows. */
const rowBatchSize = 2_048;

/**
 * Gives the rows of an earlier version their terms, and then switches searches from the text to the terms. The switch is one commit, so
 * that searches always use an index with all rows. Interrupted work continues at the next opening.
 */
export async function fillTerms(handle: TableHandle, signal?: AbortSignal): Promise<void> {
  const { table } = handle;
  if (readSchema(await table.schema()).termsAreComplete) return;
  const makeColumn = async (texts: string[]) => {
    const made = texts.map((text) => analyzeChunk(text));
    const languages = new Set(made.flatMap(({ language }) => language ?? []));
    await writeDurably(handle, () => recordLanguages(handle, languages));
    return vectorFromArray(
      made.map(({ terms }) => terms.join(" ")),
      columns.terms.type,
    );
  };
  await fillColumn(handle, { name: "terms", rowBatchSize, makeColumn, signal });
  await ensureTermsIndex(table);
  await writeDurably(handle, () =>
    commit(() => table.updateFieldMetadata([{ path: "terms", metadata: completeTermsMetadata }])),
  );
  for (const { name, columns: indexed } of await table.listIndices()) {
    if (indexed.includes("search_text")) await writeDurably(handle, () => commit(() => table.dropIndex(name)));
  }
}
