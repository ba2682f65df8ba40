import type { JobItem } from "@agent-backends/client";

export type Stage =
  | { name: "waiting" }
  /** `part` is the sent part, 0 to 1. */
  | { name: "sending"; part: number }
  /** The service has accepted the upload, which is waiting there. */
  | { name: "queued" }
  | { name: "fetching" | "extracting" | "chunking" | "storing" }
  /** `part` is the embedded part, 0 to 1. */
  | { name: "embedding"; part: number }
  /** `warning` describes the parts of the file that weren't read. */
  | { name: "saved"; documentId: string; chunks: number; warning?: string }
  | { name: "skipped"; reason: string }
  /** `code` is the service's error code, if the error is from the service. */
  | { name: "error"; reason: string; code?: string }
  | { name: "cancelled" }
  /** A file of a folder whose format is not supported. */
  | { name: "left-out" };

const finalStages: readonly Stage["name"][] = ["saved", "skipped", "error", "cancelled", "left-out"];

export const isSettled = ({ name }: Stage): boolean => finalStages.includes(name);

export const canRetry = ({ name }: Stage): boolean => name === "error" || name === "cancelled";

const duplicate: Stage = { name: "skipped", reason: "The namespace already contains the same content." };

export function toStage(item: JobItem): Stage {
  if (item.stage === "saved") {
    const { document_id: documentId, chunks, warning } = item;
    return { name: "saved", documentId, chunks, ...(warning !== undefined && { warning }) };
  }
  if (item.stage === "skipped") return duplicate;
  if (item.stage === "error") return toErrorStage(item);
  if (item.stage === "waiting") return { name: "queued" };
  if (item.stage !== "embedding") return { name: item.stage };
  return { name: "embedding", part: item.progress.done / item.progress.total };
}

const toErrorStage = ({ error, code }: { error: string; code: string }): Stage =>
  code === "cancelled" ? { name: "cancelled" } : { name: "error", reason: error, code };
