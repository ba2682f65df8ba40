import { openAsBlob } from "node:fs";
import { readFile } from "node:fs/promises";
import type { IngestRequest, IngestResponse, JobItem, KnowledgeClient } from "@agent-backends/client";

/** Something to ingest: a file under the name to store it by, or a web address. */
export type Upload = { path: string; name: string; size: number } | { address: string };

export type Outcome =
  | {
      status: "saved";
      source: string;
      title: string;
      /** SHA-256 of the extracted text. */
      hash: string;
      document_id: string;
      chunks: number;
      replaced?: number;
      /** The part of the file that couldn't be read. */
      warning?: string;
    }
  | { status: "skipped"; source: string; title: string; hash: string; replaced?: number }
  | { status: "error"; source: string; code: string; error: string };

/** Small batches are stored soon, so that an interruption repeats little work. Below the service's limit of 100. */
const maxBatchItems = 20;
const maxBatchBytes = 4 * 1_024 * 1_024;
const batchConcurrency = 3;
/** Larger files are streamed from disk. */
const maxBytesInMemory = 16 * 1_024 * 1_024;

/** The source that the service assigns. File names are stored in NFC, but macOS returns them in NFD. */
export const toSource = (upload: Upload): string =>
  "address" in upload ? `url:${upload.address}` : `file:${upload.name.normalize("NFC")}`;

function* splitBatches<Item extends Upload>(uploads: readonly Item[]): Generator<Item[]> {
  let batch: Item[] = [];
  let bytes = 0;
  for (const upload of uploads) {
    const size = "size" in upload ? upload.size : 0;
    if (batch.length > 0 && (batch.length === maxBatchItems || bytes + size > maxBatchBytes)) {
      yield batch;
      [batch, bytes] = [[], 0];
    }
    batch.push(upload);
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}

/** Sends everything in batches. Calls `onOutcome` for each item once the service has stored or refused it. */
export async function sendAll<Item extends Upload>(
  client: KnowledgeClient,
  uploads: readonly Item[],
  options: {
    fields: Pick<IngestRequest, "namespace" | "on_conflict" | "metadata">;
    /** Whether the key may follow jobs. Otherwise each batch is one request that ends when the batch is stored. */
    canFollowJobs?: boolean;
    signal: AbortSignal;
    onOutcome: (upload: Item, outcome: Outcome) => void;
  },
): Promise<void> {
  const batches = splitBatches(uploads);
  const failed = new AbortController();
  const signal = AbortSignal.any([options.signal, failed.signal]);
  const work = async () => {
    for (const batch of batches) {
      signal.throwIfAborted();
      await sendBatch(client, batch, { ...options, signal });
    }
  };
  const workers = Array.from({ length: batchConcurrency }, () =>
    work().catch((error: unknown) => {
      // The other batches would fail for the same reason.
      failed.abort(error);
      throw error;
    }),
  );
  const [failure] = (await Promise.allSettled(workers)).filter(({ status }) => status === "rejected");
  if (failure) throw (failed.signal.reason ?? (failure as PromiseRejectedResult).reason) as Error;
}

async function sendBatch<Item extends Upload>(
  client: KnowledgeClient,
  batch: readonly Item[],
  { fields, canFollowJobs = true, signal, onOutcome }: Parameters<typeof sendAll<Item>>[2],
): Promise<void> {
  // The service returns results for sources before those for files.
  const items: Item[] = batch.filter((upload) => "address" in upload);
  const sources = items.map((upload) => ({ type: "url" as const, value: (upload as { address: string }).address }));
  const files: { name: string; content: Blob | Uint8Array<ArrayBuffer> }[] = [];
  for (const upload of batch) {
    const file: Upload = upload;
    if ("address" in file) continue;
    try {
      files.push({ name: file.name, content: await load(file) });
      items.push(upload);
    } catch (error) {
      onOutcome(upload, {
        status: "error",
        source: toSource(upload),
        code: "unreadable",
        error: (error as Error).message,
      });
    }
  }
  if (items.length === 0) return;
  const request = { ...fields, sources, files };
  if (!canFollowJobs) {
    const response = await client.ingest(request, { signal });
    for (const { upload, outcome } of matchOutcomes(items, response)) onOutcome(upload, outcome);
    return;
  }
  const job = await client.startIngest(request, { signal });
  const isDone = items.map(() => false);
  const settle = (index: number, stage: JobItem) => {
    const upload = items[index];
    const outcome = toOutcome(stage);
    if (upload === undefined || outcome === undefined || isDone[index]) return;
    isDone[index] = true;
    onOutcome(upload, outcome);
  };
  for await (const event of client.followJob(job.job_id, { signal })) {
    if (event.type === "item") settle(event.item, event);
    else for (const [index, item] of event.items.entries()) settle(index, item);
  }
}

/**
 * Pairs the outcomes of a response with their items. An item whose source the service spells differently gets one of the remaining
 * outcomes.
 */
function* matchOutcomes<Item extends Upload>(
  items: readonly Item[],
  { saved, skipped, errors }: IngestResponse,
): Generator<{ upload: Item; outcome: Outcome }> {
  const outcomes = [
    ...saved.map((item) => toOutcome({ ...item, stage: "saved" })),
    ...skipped.map((item) => toOutcome({ ...item, stage: "skipped" })),
    ...errors.map((item) => toOutcome({ ...item, stage: "error" })),
  ].filter((outcome) => outcome !== undefined);
  for (const upload of items) {
    const index = outcomes.findIndex(({ source }) => source === toSource(upload));
    const [outcome] = outcomes.splice(Math.max(index, 0), 1);
    if (outcome) yield { upload, outcome };
  }
}

async function load({ path, size }: { path: string; size: number }): Promise<Blob | Uint8Array<ArrayBuffer>> {
  return size > maxBytesInMemory ? await openAsBlob(path) : await readFile(path);
}

function toOutcome(item: JobItem): Outcome | undefined {
  const { source } = item;
  switch (item.stage) {
    case "saved": {
      const { title, hash, document_id, chunks, replaced, warning } = item;
      const about = { ...(replaced !== undefined && { replaced }), ...(warning !== undefined && { warning }) };
      return { status: "saved", source, title, hash, document_id, chunks, ...about };
    }
    case "skipped":
      return {
        status: "skipped",
        source,
        title: item.title,
        hash: item.hash,
        ...(item.replaced && { replaced: item.replaced }),
      };
    case "error":
      return { status: "error", source, code: item.code, error: item.error };
    default:
      return undefined;
  }
}
