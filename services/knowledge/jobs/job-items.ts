import type { IngestErrorCode, Job, JobEvent, JobItem } from "@agent-backends/contract";
import type { Outcome } from "../ingest/ingest.ts";

type Settled = Extract<JobItem, { stage: "saved" | "skipped" | "error" }>;

export const isSettled = (item: JobItem): item is Settled => ["saved", "skipped", "error"].includes(item.stage);

export function withCounts(job: Job): Job {
  const count = (stage: JobItem["stage"]) => job.items.filter((item) => item.stage === stage).length;
  return { ...job, saved: count("saved"), skipped: count("skipped"), errors: count("error") };
}

/**
 * A job as it is stored: each item has its source as title. The real title may consist of a document's first words, and the job is kept
 * even when the document is deleted.
 */
export function withoutTitles(job: Job): Job {
  const items = job.items.map((item) => ("title" in item ? { ...item, title: item.source } : item));
  return { ...job, items };
}

export const toItemEvent = (job: Job, position: number, item: JobItem): JobEvent => ({
  type: "item",
  job_id: job.job_id,
  item: position,
  ...item,
});

export const cancelledItem: { error: string; code: IngestErrorCode } = {
  error: "The job was cancelled before the item was stored.",
  code: "cancelled",
};
export const unfinishedItem: { error: string; code: IngestErrorCode } = {
  error: "The service tried to ingest the item several times and failed; send it again in a request of its own.",
  code: "not_stored",
};

/** A job to run again after its process ended. Settled items stay settled; the others start again. */
export function toRequeued(job: Job): Job {
  const items = job.items.map((item): JobItem => (isSettled(item) ? item : { source: item.source, stage: "waiting" }));
  return withCounts({ ...job, status: "queued", items });
}

export const isStoreFailure = ({ kind, item }: Outcome): boolean =>
  kind === "errors" && "code" in item && item.code === "not_stored";

export function toJobItem(outcome: Outcome): JobItem {
  if (outcome.kind === "saved") return { stage: "saved", ...outcome.item };
  if (outcome.kind === "skipped") return { stage: "skipped", ...outcome.item };
  const { source, error, code } = outcome.item;
  return { stage: "error", source, error, code };
}
