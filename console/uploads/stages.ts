import type { IngestResponse, JobItem } from "@agent-backends/contract";

/** How far an item is. `part` is what of it has been sent, 0…1. */
export type Stage =
  | { name: "waiting" }
  | { name: "sending"; part: number }
  | { name: "queued" | "reading" | "chunking" | "embedding" | "storing" }
  | { name: "saved"; documentId: string; chunks: number }
  | { name: "skipped"; reason: string }
  /** `code` is what the service calls it, where it is the service's. */
  | { name: "error"; reason: string; code?: string }
  | { name: "cancelled" }
  /** A file of a folder that is of a kind which can't be read. */
  | { name: "left-out" };

const outcomes: readonly Stage["name"][] = ["saved", "skipped", "error", "cancelled", "left-out"];

export const isSettled = ({ name }: Stage): boolean => outcomes.includes(name);

/** Whether it makes sense to send it again. */
export const canRetry = ({ name }: Stage): boolean => name === "error" || name === "cancelled";

const duplicate: Stage = { name: "skipped", reason: "The namespace holds the same content already." };

/** The stage that an item of a job has. */
export function stageOfItem(item: JobItem): Stage {
  if (item.stage === "saved") return { name: "saved", documentId: item.document_id, chunks: item.chunks };
  if (item.stage === "skipped") return duplicate;
  return item.stage === "error" ? stageOfError(item) : { name: item.stage };
}

/** What became of the only item of an ingest. */
export function stageOfResponse({ saved: [saved], skipped, errors }: IngestResponse): Stage {
  if (saved) return { name: "saved", documentId: saved.document_id, chunks: saved.chunks };
  if (skipped.length > 0) return duplicate;
  return stageOfError(errors[0] ?? { error: "The service neither stored nor refused it.", code: "internal" });
}

const stageOfError = ({ error, code }: { error: string; code: string }): Stage =>
  code === "cancelled" ? { name: "cancelled" } : { name: "error", reason: error, code };
