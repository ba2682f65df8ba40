import type { IngestErrorCode, IngestResponse, ItemProgress } from "@agent-backends/contract";
import { explainProviderError, ProviderError } from "@agent-backends/llm";
import PQueue from "p-queue";
import type { StoredDocument } from "../store/document.ts";
import { EmbeddingMismatchError, isDiskFull, isStoreReadOnly, UnknownStoreError } from "../store/errors.ts";
import type { JobOrder } from "../store/jobs/job-store.ts";
import type { ItemSize, SentItems } from "../store/jobs/sent-items.ts";
import type { SourceStore } from "../store/knowledge-store.ts";
import type { FailedItem } from "./items.ts";
import { getSizes, parseItems } from "./items.ts";
import { countChunks } from "./prepared-document.ts";
import type { ReadItem, SourceOptions, StoredPage, UnchangedItem } from "./read-items.ts";
import { closeItem, readItems } from "./read-items.ts";
import { isPositional, replaceSource } from "./replace.ts";
import type { SaveDependencies } from "./save-item.ts";
import { inheritGiven, keepUnchanged, saveItem } from "./save-item.ts";
import { TargetNamespace } from "./target-namespace.ts";

/** Number of items of one request that are embedded and stored concurrently. Small items share commits, while larger ones take memory. */
const concurrencies = [
  { maxChunks: 2, concurrency: 128 },
  { maxChunks: 16, concurrency: 32 },
  { maxChunks: Number.POSITIVE_INFINITY, concurrency: 4 },
];

export interface IngestDependencies extends SaveDependencies {
  sources: SourceOptions;
  /** Called with the time that an item spent in a stage. */
  measureStage?: (stage: ItemProgress["stage"], durationMs: number) => void;
}

export type Outcome = { [Kind in "saved" | "skipped" | "errors"]: { kind: Kind; item: IngestResponse[Kind][number] } }[
  | "saved"
  | "skipped"
  | "errors"];

export interface IngestOrder extends SentItems, Pick<JobOrder, "namespace" | "replaces"> {
  /** The client that sent the items. The service's capacity is shared fairly between clients. */
  client: string;
  signal: AbortSignal;
  /** Called with each item's progress, once it stops waiting. `position` is its 0-based position in the request. */
  onProgress?: (position: number, progress: ItemProgress) => void;
  onOutcome?: (position: number, outcome: Outcome) => void;
  /** The outcome of an item that already has one from an earlier attempt. Such items are skipped. */
  findOutcome?: (position: number) => { source: string; hash?: string } | undefined;
  /** Leaves out items of other sizes. */
  only?: ItemSize | undefined;
}

/**
 * Stores the items of one request. The response keeps the request's order. Items are independent: an item that fails is one entry in
 * `errors`.
 *
 * @throws only the signal's reason, and NamespaceGoneError; documents stored before that stay
 */
export async function ingest(dependencies: IngestDependencies, given: IngestOrder): Promise<IngestResponse> {
  const target = new TargetNamespace(dependencies.store, given);
  const { measureStage } = dependencies;
  const order = { ...(measureStage ? measureStages(given, measureStage) : given), signal: target.signal };
  const outcomes = new Map<number, Promise<Outcome>>();
  const outcomesByHash = new Map<string, Promise<Outcome>>();
  const items = parseItems(order, dependencies.sources.maxFileBytes);
  const groups = groupBySource(items);
  const sizes = getSizes(items);
  const entries = items.flatMap((item, position) => {
    const known = order.findOutcome?.(position);
    if (known?.hash !== undefined) groups.get(item.source)?.hashes.add(known.hash);
    const isLeftOut = order.only !== undefined && sizes[position] !== order.only;
    return known || isLeftOut ? [] : { item, position };
  });
  const onProgress = ({ position }: { position: number }, progress: ItemProgress) =>
    order.onProgress?.(position, progress);
  const findPage = order.replaces
    ? (source: string) => findStoredPage(dependencies.store, order.namespace, source)
    : undefined;
  const bySize = Map.groupBy(entries, ({ position }) => sizes[position]);
  const reading = await Promise.allSettled([...bySize.values()].map(readInOrder));
  // Wait even if the request was aborted: an item that is just being stored still gets its outcome.
  await Promise.allSettled(outcomes.values());
  for (const result of reading) if (result.status === "rejected") throw result.reason;
  const response: IngestResponse = { namespace: order.namespace, saved: [], skipped: [], errors: [] };
  const inOrder = [...outcomes].sort(([one], [other]) => one - other);
  for (const { kind, item } of await Promise.all(inOrder.map(([, outcome]) => outcome))) {
    (response[kind] as (typeof item)[]).push(item);
  }
  return response;

  /** Reads items of one size in order. They don't wait for items of other sizes. */
  async function readInOrder(ofOneSize: typeof entries): Promise<void> {
    const queues = concurrencies.map(({ maxChunks, concurrency }) => ({
      maxChunks,
      queue: new PQueue({ concurrency }),
    }));
    for await (const { entry, item } of readItems(ofOneSize, dependencies.sources, order, onProgress, findPage)) {
      const { position } = entry;
      const chunks = "document" in item ? countChunks(item.document) : 0;
      const { queue } = queues.find(({ maxChunks }) => chunks <= maxChunks) as (typeof queues)[number];
      await queue.onSizeLessThan(1);
      const outcome = queue.add(async () => {
        try {
          const settled = await settle(item, position);
          order.onOutcome?.(position, settled);
          return settled;
        } finally {
          await closeItem(item);
        }
      });
      // The promise is awaited below, unless reading an item throws first.
      outcome.catch(() => undefined);
      outcomes.set(position, outcome);
    }
  }

  function settle(item: ReadItem | UnchangedItem | FailedItem, position: number): Promise<Outcome> {
    if ("error" in item) return Promise.resolve({ kind: "errors", item });
    const hash = getHash(item);
    const group = groups.get(item.source);
    group?.hashes.add(hash);
    // The last item of a source replaces what was stored before the request, so that the other items of the request are kept.
    const isLast = group?.last === position;
    const before = Promise.all([outcomesByHash.get(hash), ...(isLast ? group.outcomes : [])]);
    const outcome = storeItem(
      dependencies,
      { ...order, target },
      { item, position, before, ...(isLast && { hashes: group.hashes }) },
    );
    group?.outcomes.push(outcome);
    outcomesByHash.set(hash, outcome);
    return outcome;
  }
}

/** The items of a request with the same source, such as two files `README.md` that were sent without their folders. */
interface SourceGroup {
  /** Position of the last one that may be stored. */
  last: number;
  /** Content hashes of the items read so far. */
  hashes: Set<string>;
  outcomes: Promise<Outcome>[];
}

function groupBySource(items: ReturnType<typeof parseItems>): Map<string, SourceGroup> {
  const groups = new Map<string, SourceGroup>();
  for (const [last, item] of items.entries()) {
    if ("error" in item || isPositional(item.source)) continue;
    const { hashes, outcomes } = groups.get(item.source) ?? { hashes: new Set(), outcomes: [] };
    groups.set(item.source, { last, hashes, outcomes });
  }
  return groups;
}

const getHash = (item: ReadItem | UnchangedItem): string => ("document" in item ? item.document.hash : item.hash);

/** What the namespace contains of a page from its last fetch. */
async function findStoredPage(store: SourceStore, namespace: string, source: string): Promise<StoredPage | undefined> {
  const documents = await store.findBySource(namespace, source);
  // A document that shows another source of the same content doesn't have the validators of this one.
  const last = documents.findLast((document) => document.source === source);
  if (last?.url === undefined || last.validators === undefined) return undefined;
  const { url, validators, title, hash } = last;
  return { url, validators, title, hash };
}

interface ItemToStore {
  item: ReadItem | UnchangedItem;
  position: number;
  /** Settles once the earlier items that this one depends on have their outcomes. */
  before: Promise<unknown>;
  /** Set for the last item of a source: the hashes of all contents that the source has from now on. */
  hashes?: ReadonlySet<string>;
}

async function storeItem(
  dependencies: IngestDependencies,
  order: IngestOrder & { target: TargetNamespace },
  { item, position, before, hashes }: ItemToStore,
): Promise<Outcome> {
  const { namespace, target, client, replaces, signal } = order;
  const { source } = item;
  let { title } = item;
  const hash = getHash(item);
  const onProgress = (progress: ItemProgress) => order.onProgress?.(position, progress);
  // Wait for an earlier item with the same content. If it is stored, this one is skipped; if it fails, this one is tried.
  await before;
  signal.throwIfAborted();
  try {
    let isUpdated = false;
    const save = async () => {
      const result =
        "document" in item
          ? await saveItem(dependencies, { item, namespace, target, client, signal, onProgress })
          : await keepUnchanged(dependencies.store, namespace, item);
      if ("document_id" in result) return result;
      isUpdated ||= result.isUpdated;
      return undefined;
    };
    const inherit = async (from: StoredDocument) => {
      ({ title = title } = await inheritGiven(dependencies.store, namespace, { item, hash, from }));
    };
    const { saved, replaced } =
      replaces && hashes
        ? await replaceSource(dependencies.store, { namespace, source, hash, hashes }, save, inherit)
        : { saved: await save() };
    if (saved !== undefined)
      return { kind: "saved", item: { ...saved, title, ...(replaced !== undefined && { replaced }) } };
    const changes = {
      ...(isUpdated ? { updated: true as const } : undefined),
      ...(replaced !== undefined && replaced > 0 && { replaced }),
    };
    const reason = "document" in item ? "duplicate-content" : "not-modified";
    return { kind: "skipped", item: { title, hash, source, reason, ...changes } };
  } catch (error) {
    signal.throwIfAborted();
    return { kind: "errors", item: { source, title, ...toItemError(error, dependencies.sources.reportError) } };
  }
}

function toItemError(error: unknown, report: (error: unknown) => void): { error: string; code: IngestErrorCode } {
  if (error instanceof ProviderError) {
    report(error);
    return { error: explainProviderError(error), code: "provider_failed" };
  }
  if (error instanceof EmbeddingMismatchError) return { error: error.message, code: "embedding_model_changed" };
  if (error instanceof UnknownStoreError) return { error: error.message, code: "not_stored" };
  report(error);
  return { error: `The item could not be stored${explainStoring(error)}`, code: "not_stored" };
}

function explainStoring(error: unknown): string {
  if (isDiskFull(error)) return ": the service's disk is full. Try it again once its operator has freed space.";
  if (isStoreReadOnly(error))
    return ": the service may not write to its store. Try it again once its operator allows that.";
  return "; try it again.";
}

/** Wraps an order so that it measures how long each item spends in each stage. */
function measureStages(order: IngestOrder, measure: Required<IngestDependencies>["measureStage"]): IngestOrder {
  const current = new Map<number, { stage: ItemProgress["stage"]; since: number }>();
  function leave(position: number): void {
    const left = current.get(position);
    if (left) measure(left.stage, performance.now() - left.since);
    current.delete(position);
  }
  return {
    ...order,
    onProgress(position, progress) {
      const { stage } = progress;
      if (current.get(position)?.stage !== stage) {
        leave(position);
        current.set(position, { stage, since: performance.now() });
      }
      order.onProgress?.(position, progress);
    },
    onOutcome(position, outcome) {
      leave(position);
      order.onOutcome?.(position, outcome);
    },
  };
}
