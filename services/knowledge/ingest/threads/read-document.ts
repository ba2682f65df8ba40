import { open, readFile } from "node:fs/promises";
import { detectFormat, isArchive } from "../extract/detect.ts";
import { extractNow } from "../extract/extract-now.ts";
import type { ExtractionInput, ExtractionLimits } from "../extract/formats.ts";
import { formatByName } from "../extract/formats.ts";
import { markdownDocument, plainTextDocument } from "../extract/index.ts";
import type { PreparedDocument } from "../prepare.ts";
import { prepareDocument } from "../prepare.ts";
import type { DocumentContent, DocumentInput } from "./document-input.ts";
import { runInWorker } from "./run-in-worker.ts";

/** Text up to this size is read at once, which takes a few milliseconds. */
const maxBytesOnThisThread = 64 * 1024;

/**
 * Reads a document, hashes it and cuts it into passages. Everything but short text is read in a thread of its own with a
 * deadline and a memory limit, some at a time, so that nothing a client sends holds up other requests.
 * A document whose text is in a file has to be closed. Takes over `content.bytes`: they may be empty afterwards. Rejects with ExtractionError, whose message may be shown to the
 * document's owner, or with the signal's reason once it aborts.
 */
export async function readDocument(
  input: DocumentInput,
  limits: ExtractionLimits,
  signal?: AbortSignal,
): Promise<PreparedDocument> {
  signal?.throwIfAborted();
  const { content } = input;
  if (sizeOf(content) > maxBytesOnThisThread) {
    if ("path" in content && content.format === undefined)
      refuseUnreadable({ ...input, bytes: await readStart(content.path) });
    return runInWorker({ input, limits }, signal);
  }
  if ("text" in content) {
    const read = content.format === "markdown" ? markdownDocument : plainTextDocument;
    return prepareDocument(read(content.text));
  }
  if ("path" in content && content.format !== undefined) return runInWorker({ input, limits }, signal);
  const bytes = "bytes" in content ? content.bytes : await readFile(content.path);
  const file = { ...input, bytes };
  const format = detectFormat(file);
  // A small page or office file can still be built to take for ever.
  const isPlain = formatByName(format).isText && format !== "html";
  if (isPlain) return prepareDocument(await extractNow(format, file, limits));
  return runInWorker({ input: { ...input, content: { bytes } }, limits }, signal);
}

/** Tells by the first bytes of a large file that it can't be read, before memory is taken for all of it. */
function refuseUnreadable(start: ExtractionInput): void {
  // What an archive holds stands at its end.
  if (!isArchive(start.bytes)) detectFormat(start);
}

async function readStart(path: string): Promise<Uint8Array> {
  await using file = await open(path, "r");
  const { buffer, bytesRead } = await file.read(Buffer.alloc(maxBytesOnThisThread), 0, maxBytesOnThisThread, 0);
  return buffer.subarray(0, bytesRead);
}

function sizeOf(content: DocumentContent): number {
  if ("text" in content) return content.text.length;
  return "bytes" in content ? content.bytes.byteLength : content.bytesOnDisk;
}
