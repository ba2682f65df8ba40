import { createHash } from "node:crypto";
import type { ExportLine } from "@agent-backends/contract";
import { exportFormat, knowledgeLimits } from "@agent-backends/contract";
import { waitForTurn } from "@agent-backends/kit/turns";
import type { DocumentPart, Embedding, ExportedDocument, NewChunk } from "../store/document.ts";
import { DocumentGoneError } from "../store/errors.ts";
import type { DocumentStore } from "../store/knowledge-store.ts";

/** The lines of a namespace's export, generated as they are consumed. See `exportLineSchema`. */
export async function* exportNamespace(
  store: DocumentStore,
  { namespace, embedding, now }: { namespace: string; embedding: Embedding; now: Date },
): AsyncGenerator<string, void, undefined> {
  const hash = createHash("sha256");
  const sha256 = () => hash.copy().digest("hex");
  const toLine = (line: ExportLine) => {
    const text = JSON.stringify(line);
    hash.update(text).update("\n");
    return text;
  };
  const { model, dimension } = embedding;
  yield toLine({
    type: "header",
    ...exportFormat,
    namespace,
    embedding: { model, dimension },
    exported_at: now.toISOString(),
  });
  let documents = 0;
  let chunks = 0;
  for await (const document of store.exportDocuments(namespace, embedding)) {
    yield toLine(toDocumentLine(document));
    try {
      for await (const line of toPartLines(document)) yield toLine(line);
    } catch (error) {
      if (!(error instanceof DocumentGoneError)) throw error;
      yield toLine({ type: "deleted" });
      continue;
    }
    documents += 1;
    chunks += document.chunks;
    yield toLine({ type: "end", sha256: sha256() });
  }
  yield toLine({ type: "trailer", documents, chunks, sha256: sha256() });
}

function toDocumentLine({ hash, ingestedAt, chunks, others, ...shown }: ExportedDocument): ExportLine {
  return {
    type: "document",
    hash,
    ingested_at: ingestedAt,
    chunks,
    sources: [shown, ...others.others].map(({ source, title, contentType, url, filename, metadata }) => {
      return { source, title, content_type: contentType, url, filename, metadata };
    }),
    ...(others.hasMore && { more_sources: true as const }),
  };
}

/** Each line contains the document's text from the end of the previous line to its own last chunk, or to the end of the document. */
async function* toPartLines(document: ExportedDocument): AsyncGenerator<ExportLine, void, undefined> {
  let text = "";
  let textStart = 0;
  for await (const part of document.parts) {
    text += part.text;
    for (const chunks of splitIntoBatches(part.chunks, knowledgeLimits.chunksPerExportLine)) {
      const last = chunks.at(-1);
      const isEnd = last === undefined || last.index === document.chunks - 1;
      const end = isEnd ? text.length : last.end - textStart;
      await waitForTurn();
      yield toPartLine({ text: text.slice(0, end), chunks });
      text = text.slice(end);
      textStart += end;
    }
  }
}

function* splitIntoBatches<Item>(items: readonly Item[], size: number): Generator<readonly Item[], void, undefined> {
  for (let from = 0; from < items.length; from += size) yield items.slice(from, from + size);
}

/** Numbers are little-endian, as in the memory of all machines that the stores run on. */
function toPartLine({ text, chunks }: DocumentPart): ExportLine {
  const vectors = chunks.map(({ vector: { buffer, byteOffset, byteLength } }) =>
    Buffer.from(buffer, byteOffset, byteLength),
  );
  return { type: "part", text, chunks: chunks.map(toChunk), vectors: Buffer.concat(vectors).toString("base64") };
}

function toChunk({ start, end, page, slide, sheet, heading, tableHeader, sections, searchText }: NewChunk) {
  const prefix = searchText.slice(0, searchText.length - (end - start));
  return {
    start,
    end,
    page,
    slide,
    sheet,
    heading,
    table_header: tableHeader,
    sections: sections && [...sections],
    ...(prefix !== "" && { prefix }),
  };
}
