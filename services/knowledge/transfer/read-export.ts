import { createHash } from "node:crypto";
import type { ExportLine } from "@agent-backends/contract";
import { describeIssue, exportLineSchema, knowledgeLimits, ProblemError, problems } from "@agent-backends/contract";
import { parseJson } from "@agent-backends/kit";
import type { z } from "zod";
import type { DocumentPart, NewChunk } from "../store/document.ts";

type LineOf<Type> = Extract<ExportLine, { type: Type }>;

/** Why a file can't be imported. The message follows "Line 7 of the file". */
export class InvalidExportError extends Error {
  override readonly name = "InvalidExportError";
}

/** The document was deleted while it was exported. */
export class DeletedMeanwhileError extends Error {
  override readonly name = "DeletedMeanwhileError";
}

/** A document of a file. Read its parts to the end before requesting the next document. */
export interface DocumentToImport {
  line: LineOf<"document">;
  /**
   * The parts, which can be read once. If the iteration ends normally, the document was complete and unchanged.
   *
   * @throws InvalidExportError, DeletedMeanwhileError
   */
  parts(): AsyncGenerator<DocumentPart, void, undefined>;
}

/** Reads the file of an export. Everything it yields has been checked against the limits and the schema. */
export class ExportReader {
  /** The 1-based number of the last line read. */
  line = 0;
  readonly #lines: AsyncGenerator<Buffer, void, undefined>;
  readonly #maxTextCharacters: number;
  readonly #hash = createHash("sha256");
  #dimension = 0;

  constructor(bytes: AsyncIterable<Buffer>, { maxTextCharacters }: { maxTextCharacters: number }) {
    this.#lines = readLines(bytes);
    this.#maxTextCharacters = maxTextCharacters;
  }

  /** @throws InvalidExportError */
  async header(): Promise<LineOf<"header">> {
    const header = await this.#next("header");
    this.#dimension = header.embedding.dimension;
    return header;
  }

  /** The documents after the header, up to the end of the file. @throws InvalidExportError */
  async *documents(): AsyncGenerator<DocumentToImport, void, undefined> {
    let [documents, chunks] = [0, 0];
    for (;;) {
      const line = await this.#next("document", "trailer");
      if (line.type === "trailer") {
        if (line.documents !== documents || line.chunks !== chunks) throw new InvalidExportError("counts wrongly");
        if ((await this.#read()) !== undefined) throw new InvalidExportError("comes after the end of the file");
        return;
      }
      let isWhole = false;
      const readParts = this.#readParts(line);
      const parts = async function* () {
        yield* readParts;
        isWhole = true;
      };
      yield { line, parts };
      if (!isWhole) continue;
      documents += 1;
      chunks += line.chunks;
    }
  }

  /** Stops reading the bytes. */
  async close(): Promise<void> {
    await this.#lines.return();
  }

  async *#readParts({ hash, chunks }: LineOf<"document">): AsyncGenerator<DocumentPart, void, undefined> {
    const textHash = createHash("sha256");
    const position: Position = { chunks: 0, length: 0, textAfter: "" };
    for (;;) {
      const line = await this.#next("part", "end", "deleted");
      if (line.type === "deleted") throw new DeletedMeanwhileError();
      if (line.type === "end") break;
      const part = toPart(line, position, this.#dimension);
      if (position.chunks > chunks) throw new InvalidExportError("has more chunks than its document");
      if (position.length > this.#maxTextCharacters)
        throw new InvalidExportError(`ends a text of more than ${this.#maxTextCharacters} characters`);
      textHash.update(part.text, "utf8");
      yield part;
    }
    if (position.chunks !== chunks) throw new InvalidExportError("ends a document with missing chunks");
    if (textHash.digest("hex") !== hash) throw new InvalidExportError("ends a document whose text has another hash");
  }

  async #next<Type extends ExportLine["type"]>(...types: Type[]): Promise<LineOf<Type>> {
    const line = await this.#read();
    if (line === undefined) throw new InvalidExportError("is missing: the file is truncated");
    if (line.type === "error") throw new InvalidExportError(`says that the export failed: ${line.message}`);
    if (types.includes(line.type as Type)) return line as LineOf<Type>;
    throw new InvalidExportError(`is of the type ${line.type}, where ${types.join(" or ")} is expected`);
  }

  async #read(): Promise<ExportLine | undefined> {
    this.line += 1;
    const { value: bytes } = await this.#lines.next();
    if (bytes === undefined) return undefined;
    const parsed = exportLineSchema.safeParse(await parseLine(bytes), { error: describeIssue });
    if (!parsed.success) throw new InvalidExportError(`is wrong: ${toReason(parsed.error)}`);
    const line = parsed.data;
    if ("sha256" in line && line.sha256 !== this.#hash.copy().digest("hex"))
      throw new InvalidExportError("has another checksum than the lines before it: the file was changed or damaged");
    this.#hash.update(bytes).update("\n");
    return line;
  }
}

async function parseLine(bytes: Buffer): Promise<unknown> {
  try {
    return await parseJson(bytes, "A line");
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error;
    throw new InvalidExportError(
      error.code === "not-json" ? "is not JSON, or the file is truncated there" : `is refused: ${error.message}`,
    );
  }
}

function toReason({ issues: [issue] }: z.ZodError): string {
  const { path = [], message = "it has the wrong form" } = issue ?? {};
  return path.length > 0 ? `${path.join(".")} ${message}` : message;
}

/** How far a document has been read. */
interface Position {
  chunks: number;
  /** Length of the text read so far, in UTF-16 code units. */
  length: number;
  /** The text after the last chunk. The next chunk begins in it. */
  textAfter: string;
}

function toPart(line: LineOf<"part">, position: Position, dimension: number): DocumentPart {
  const vectors = toVectors(line.vectors, line.chunks.length, dimension);
  const text = position.textAfter + line.text;
  const textStart = position.length - position.textAfter.length;
  let chunkEnd = textStart;
  const chunks = line.chunks.map((chunk, number): NewChunk => {
    const { start, end, table_header: tableHeader, prefix = "", ...place } = chunk;
    if (start < chunkEnd || end <= start || end > textStart + text.length)
      throw new InvalidExportError(`is wrong: chunks.${number} is outside the text or overlaps another chunk`);
    chunkEnd = end;
    const searchText = prefix + text.slice(start - textStart, end - textStart);
    if (searchText.length > knowledgeLimits.importedChunkCharacters)
      throw new InvalidExportError(
        `is wrong: chunks.${number} has more than ${knowledgeLimits.importedChunkCharacters} characters`,
      );
    const vector = vectors.subarray(number * dimension, (number + 1) * dimension);
    return {
      index: position.chunks + number,
      start,
      end,
      ...place,
      ...(tableHeader && { tableHeader }),
      searchText,
      vector,
    };
  });
  position.chunks += chunks.length;
  position.length += line.text.length;
  position.textAfter = text.slice(chunkEnd - textStart);
  return { text: line.text, chunks };
}

function toVectors(base64: string, count: number, dimension: number): Float32Array {
  // In memory of its own, where the numbers are aligned.
  const { buffer } = new Uint8Array(Buffer.from(base64, "base64"));
  if (buffer.byteLength !== count * dimension * Float32Array.BYTES_PER_ELEMENT)
    throw new InvalidExportError(`is wrong: vectors is not ${count} vectors of ${dimension} numbers`);
  const vectors = new Float32Array(buffer);
  if (!vectors.every(Number.isFinite)) throw new InvalidExportError("is wrong: vectors holds an infinite number");
  return vectors;
}

/** The lines that aren't empty. */
async function* readLines(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, undefined> {
  const maxBytes = knowledgeLimits.importLineBytes;
  let total = 0;
  let pieces: Buffer[] = [];
  let length = 0;
  for await (const received of bytes) {
    total += received.length;
    if (total > knowledgeLimits.importBytes) throw problems.bodyTooLarge(knowledgeLimits.importBytes);
    let from = 0;
    for (let end = received.indexOf("\n"); end !== -1; end = received.indexOf("\n", from)) {
      const rest = received.subarray(from, end);
      from = end + 1;
      if (length + rest.length === 0) continue;
      if (length + rest.length > maxBytes) throw new InvalidExportError(`has more than ${maxBytes} bytes`);
      const line = Buffer.concat([...pieces, rest]);
      [pieces, length] = [[], 0];
      yield line;
    }
    if (from === received.length) continue;
    pieces.push(received.subarray(from));
    length += received.length - from;
    if (length > maxBytes) throw new InvalidExportError(`has more than ${maxBytes} bytes`);
  }
  if (length > 0) yield Buffer.concat(pieces);
}
