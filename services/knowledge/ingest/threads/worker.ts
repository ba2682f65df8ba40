import { readFile } from "node:fs/promises";
import { parentPort } from "node:worker_threads";
import type { ExtractedDocument, ExtractionErrorCode } from "../extract/document.ts";
import { ExtractionError } from "../extract/document.ts";
import { refuseTooMuchText } from "../extract/extract-now.ts";
import type { ExtractionLimits } from "../extract/formats.ts";
import { extractText, markdownDocument, plainTextDocument } from "../extract/index.ts";
import type { PreparedDocument } from "../prepare.ts";
import { prepareDocument } from "../prepare.ts";
import type { DocumentInput } from "./document-input.ts";

/** What the thread is asked, one document at a time. */
export interface WorkerTask {
  input: DocumentInput;
  limits: ExtractionLimits;
}

/** What it answers; any other failure ends it. */
export type WorkerAnswer = { document: PreparedDocument } | { code: ExtractionErrorCode; message: string };

async function extract({ input, limits }: WorkerTask): Promise<ExtractedDocument> {
  const { content, ...about } = input;
  if ("text" in content) {
    const read = content.format === "markdown" ? markdownDocument : plainTextDocument;
    return refuseTooMuchText(read(content.text), limits);
  }
  return extractText({ ...about, bytes: "bytes" in content ? content.bytes : await readBytes(content.path) }, limits);
}

/** Plain bytes: some readers of formats refuse node's Buffer. */
async function readBytes(path: string): Promise<Uint8Array> {
  const { buffer, byteOffset, byteLength } = await readFile(path);
  return new Uint8Array(buffer, byteOffset, byteLength);
}

async function answer(task: WorkerTask): Promise<WorkerAnswer> {
  try {
    return { document: prepareDocument(await extract(task)) };
  } catch (error) {
    if (error instanceof ExtractionError) return { code: error.code, message: error.message };
    throw error;
  }
}

parentPort?.on("message", async (task: WorkerTask) => {
  const answered = await answer(task);
  parentPort?.postMessage(answered, "document" in answered ? [answered.document.passages.buffer] : []);
});
