import { parentPort, workerData } from "node:worker_threads";
import type { ExtractedDocument, ExtractionErrorCode } from "./document.ts";
import { ExtractionError } from "./document.ts";
import { extractNow } from "./extract-now.ts";
import type { ExtractionInput, ExtractionLimits, FormatName } from "./formats.ts";

/** What the thread is started with. */
export interface WorkerTask {
  format: FormatName;
  input: ExtractionInput;
  limits: ExtractionLimits;
}

/** The one message it answers with; any other failure ends the thread. */
export type WorkerAnswer = { document: ExtractedDocument } | { code: ExtractionErrorCode; message: string };

async function answer({ format, input, limits }: WorkerTask): Promise<WorkerAnswer> {
  try {
    return { document: await extractNow(format, input, limits) };
  } catch (error) {
    if (error instanceof ExtractionError) return { code: error.code, message: error.message };
    throw error;
  }
}

parentPort?.postMessage(await answer(workerData as WorkerTask));
