import PQueue from "p-queue";
import { DocumentGoneError } from "../errors.ts";
import { headOf } from "./document-head.ts";
import { textOf } from "./document-text.ts";
import { quote } from "./filter.ts";
import type { NamespaceTable } from "./namespace-table.ts";
import type { Row } from "./rows.ts";

/** Chunks of one document whose texts are read together: half a megabyte, which takes a few milliseconds. */
const chunksPerPiece = 256;

/** Pieces that are read at the same time. The engine takes ten megabytes and more for each. */
const pieceReads = new PQueue({ concurrency: 2 });

/** Uses the table of a document's namespace; gives undefined where there is none any more. */
type UseTable = <Result>(work: (opened: NamespaceTable) => Promise<Result>) => Promise<Result | undefined>;

/** The text of the document that a row is the first one of, each piece read when it is asked for. @throws DocumentGoneError */
export async function* documentPieces(
  id: string,
  head: Row,
  useTable: UseTable,
): AsyncGenerator<string, void, undefined> {
  const isOfIt = `document_id = ${quote(String(head.document_id))} AND document_text IS NOT NULL`;
  let length = 0;
  for (let from = 0; from < Number(head.chunks); from += chunksPerPiece) {
    const condition = `${isOfIt} AND chunk >= ${from} AND chunk < ${from + chunksPerPiece}`;
    const readPiece = async ({ table }: NamespaceTable) => {
      const rows = table.query().where(condition).select(["chunk", "document_text", "search_text", "end_offset"]);
      const text = textOf((await rows.toArray()) as Row[], length);
      // It may have been deleted in between, and then a part of these is missing.
      const still = await headOf(table, id);
      return still?.document_id === head.document_id && still?.ingested_at === head.ingested_at ? text : undefined;
    };
    const piece = await pieceReads.add(() => useTable(readPiece));
    if (piece === undefined) throw new DocumentGoneError();
    length += piece.length;
    if (piece !== "") yield piece;
  }
}
