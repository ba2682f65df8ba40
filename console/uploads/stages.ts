import type { IngestResponse, JobItem } from "@agent-backends/contract";

/** How far an item is. `part` is what of it has been sent, 0…1. */
export type Stage =
  | { name: "waiting" }
  | { name: "sending"; part: number }
  | { name: "queued" | "reading" | "chunking" | "embedding" | "storing" }
  | { name: "saved"; documentId: string; chunks: number }
  | { name: "skipped"; reason: string }
  | { name: "error"; reason: string };

export const isSettled = ({ name }: Stage): boolean => name === "saved" || name === "skipped" || name === "error";

const duplicate: Stage = { name: "skipped", reason: "The namespace holds the same content already." };

/** The stage that an item of a job has. */
export function stageOfItem(item: JobItem): Stage {
  if (item.stage === "saved") return { name: "saved", documentId: item.document_id, chunks: item.chunks };
  if (item.stage === "skipped") return duplicate;
  return item.stage === "error" ? { name: "error", reason: item.error } : { name: item.stage };
}

/** What became of the only item of an ingest. */
export function stageOfResponse({ saved: [saved], skipped, errors }: IngestResponse): Stage {
  if (saved) return { name: "saved", documentId: saved.document_id, chunks: saved.chunks };
  if (skipped.length > 0) return duplicate;
  return { name: "error", reason: errors[0]?.error ?? "The service neither stored nor refused it." };
}
