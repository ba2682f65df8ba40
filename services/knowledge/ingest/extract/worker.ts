import { parentPort, workerData } from "node:worker_threads";
import type { ExtractedDocument, ExtractionErrorCode } from "./document.ts";
import { extractNow } from "./extract-now.ts";
import type { ExtractionInput, ExtractionLimits, FormatName } from "./formats.ts";

/** What a worker is started with. */
export interface WorkerTask {
  format: FormatName;
  input: ExtractionInput;
  limits: ExtractionLimits;
}

/** The one message it answers with. */
export type WorkerAnswer = { document: ExtractedDocument } | { code: ExtractionErrorCode; message: string };

const { format, input, limits } = workerData as WorkerTask;
const answer: WorkerAnswer = await extractNow(format, input, limits).then(
  (document) => ({ document }),
  ({ code, message }) => ({ code, message }),
);
parentPort?.postMessage(answer);
