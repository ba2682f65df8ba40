import { parentPort } from "node:worker_threads";
import type { ExtractedDocument, ExtractionErrorCode } from "./document.ts";
import { ExtractionError } from "./document.ts";
import { extractNow } from "./extract-now.ts";
import type { ExtractionInput, ExtractionLimits, FormatName } from "./formats.ts";

/** What the thread is asked, one document at a time. */
export interface WorkerTask {
  format: FormatName;
  input: ExtractionInput;
  limits: ExtractionLimits;
}

/** What it answers; any other failure ends it. */
export type WorkerAnswer = { document: ExtractedDocument } | { code: ExtractionErrorCode; message: string };

async function answer({ format, input, limits }: WorkerTask): Promise<WorkerAnswer> {
  try {
    return { document: await extractNow(format, input, limits) };
  } catch (error) {
    if (error instanceof ExtractionError) return { code: error.code, message: error.message };
    throw error;
  }
}

parentPort?.on("message", async (task: WorkerTask) => {
  parentPort?.postMessage(await answer(task));
});
