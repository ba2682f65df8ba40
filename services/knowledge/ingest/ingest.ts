import type { CustomMetadata, IngestResponse } from "@agent-backends/contract";
import PQueue from "p-queue";
import { describeFailure } from "./failures.ts";
import { chunkCount } from "./prepared-chunks.ts";
import { isPositional, makeOnlyOneOfSource } from "./replace.ts";
import type { SaveDependencies } from "./save-item.ts";
import { saveItem } from "./save-item.ts";
import type { LoadedItem, LongText, SourceOptions, UploadedFile } from "./sources.ts";
import { closeItem, loadItems } from "./sources.ts";
import { timed } from "./stage-clock.ts";

/** Items of one request that are embedded and stored at the same time: small ones share commits, others take memory. */
const smallItemsAtOnce = 32;
const otherItemsAtOnce = 4;
const chunksOfSmallItem = 16;

export interface IngestDependencies extends SaveDependencies {
  sources: SourceOptions;
  /** Told how long an item was in a stage. */
  measureStage?: (stage: IngestStage, durationMs: number) => void;
}

/** Where an item is on its way; what becomes of it is its outcome. */
export type IngestStage = "reading" | "chunking" | "embedding" | "storing";

/** What became of an item. */
export type Outcome = { [Kind in "saved" | "skipped" | "errors"]: { kind: Kind; item: IngestResponse[Kind][number] } }[
  | "saved"
  | "skipped"
  | "errors"];

export interface IngestOrder {
  namespace: string;
  /** Whose it is: what the service can do at a time is shared fairly between clients. */
  client: string;
  sources: readonly unknown[];
  longTexts?: readonly LongText[] | undefined;
  files: readonly UploadedFile[];
  /** Whether documents of the same source with other content give way to the new one; a text's place is no name of it. */
  replaces: boolean;
  metadata?: CustomMetadata | undefined;
  signal: AbortSignal;
  /** Told of each item's progress; `position` is its 0-based place in the request. */
  onStage?: (position: number, stage: IngestStage) => void;
  onOutcome?: (position: number, outcome: Outcome) => void;
  /** Whether an item was settled before and is left out. */
  isDone?: (position: number) => boolean;
}

type ReadItem = Exclude<LoadedItem, { error: string }>;

/** An item on its way through one request. */
interface Passing<Item> {
  item: Item;
  position: number;
  earlier: Map<string, Promise<Outcome>>;
}

/**
 * Stores the items of one request. What becomes of an item is told in the request's order, and none depends on
 * another: one that fails is an error of its own.
 *
 * @throws only the signal's reason; what was stored until then stays
 */
export async function ingest(dependencies: IngestDependencies, given: IngestOrder): Promise<IngestResponse> {
  const order = dependencies.measureStage ? timed(given, dependencies.measureStage) : given;
  const { namespace, onStage } = order;
  const small = new PQueue({ concurrency: smallItemsAtOnce });
  const others = new PQueue({ concurrency: otherItemsAtOnce });
  const outcomes: Promise<Outcome>[] = [];
  const earlier = new Map<string, Promise<Outcome>>();
  const request = { ...order, onReading: (position: number) => onStage?.(position, "reading") };
  try {
    for await (const { item, position } of loadItems(request, dependencies.sources, order)) {
      const queue = isSmall(item) ? small : others;
      await queue.onSizeLessThan(1);
      const outcome = queue.add(async () => {
        try {
          const settled = await settleItem(dependencies, order, { item, position, earlier });
          order.onOutcome?.(position, settled);
          return settled;
        } finally {
          await closeItem(item);
        }
      });
      // Awaited below, in order; a request that ends before that no longer wants it.
      outcome.catch(() => undefined);
      outcomes.push(outcome);
    }
  } finally {
    // Also when it is given up: what is being stored then is stored, and is told.
    await Promise.allSettled(outcomes);
  }
  const response: IngestResponse = { namespace, saved: [], skipped: [], errors: [] };
  for (const { kind, item } of await Promise.all(outcomes)) (response[kind] as (typeof item)[]).push(item);
  return response;
}

const isSmall = (item: LoadedItem): boolean => "error" in item || chunkCount(item.document) <= chunksOfSmallItem;

function settleItem(
  dependencies: IngestDependencies,
  order: IngestOrder,
  { item, position, earlier }: Passing<LoadedItem>,
): Promise<Outcome> {
  if ("error" in item) return Promise.resolve({ kind: "errors", item });
  const { hash } = item.document;
  const outcome = settleDocument(dependencies, order, { item, position, before: earlier.get(hash) });
  earlier.set(hash, outcome);
  return outcome;
}

async function settleDocument(
  dependencies: IngestDependencies,
  order: IngestOrder,
  given: { item: ReadItem; position: number; before: Promise<Outcome> | undefined },
): Promise<Outcome> {
  const { namespace, client, replaces, signal, onStage } = order;
  const { item, position } = given;
  const { source, title, document } = item;
  const { hash } = document;
  const skipped: Outcome = { kind: "skipped", item: { title, hash, source, reason: "duplicate-content" } };
  const onItemStage = (stage: IngestStage) => onStage?.(position, stage);
  // The same content earlier in this request comes first; should it fail, this one is tried on its own.
  await given.before;
  signal.throwIfAborted();
  try {
    const save = () => saveItem(dependencies, { item, namespace, client, signal, onStage: onItemStage });
    if (!replaces || isPositional(source)) {
      const saved = await save();
      return saved ? { kind: "saved", item: saved } : skipped;
    }
    const { saved, replaced } = await makeOnlyOneOfSource(dependencies.store, { namespace, source, hash }, save);
    return saved ? { kind: "saved", item: { ...saved, replaced } } : skipped;
  } catch (error) {
    signal.throwIfAborted();
    return { kind: "errors", item: { source, title, ...describeFailure(error, dependencies.sources.reportError) } };
  }
}
