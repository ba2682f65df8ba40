import type { CustomMetadata, ItemProgress } from "@agent-backends/contract";
import type { Caller } from "@agent-backends/kit";
import { ProxyError } from "@agent-backends/kit/egress";
import { NotModifiedError, SafeFetchError } from "@agent-backends/kit/safe-fetch";
import type { DocumentChanges, Validators } from "../store/document.ts";
import type { ExtractionLimits } from "./extract/document.ts";
import { ExtractionError } from "./extract/document.ts";
import type { FailedItem, Item } from "./items.ts";
import type { PreparedDocument, ReadingCaller } from "./prepared-document.ts";
import type { TextRecognition } from "./recognise-scans.ts";
import { readWithScans } from "./recognise-scans.ts";
import { toOneLine, toTitle } from "./title.ts";
import type { FetchedPage, KnownPage, PageFetches } from "./websites/page-fetches.ts";

/** An item in a form to be stored. */
export interface ReadItem {
  source: string;
  title: string;
  document: PreparedDocument;
  /** The address of a page after redirects. */
  url?: string | undefined;
  filename?: string | undefined;
  metadata?: CustomMetadata | undefined;
  /** Of a page. */
  validators?: Validators | undefined;
  /** What was sent with it. A document that has the same content already gets it as well. */
  changes: DocumentChanges;
}

/** A page whose content is stored and has not changed since. */
export interface UnchangedItem extends Pick<ReadItem, "source" | "title" | "changes"> {
  hash: string;
}

/** What is stored of a page from its last fetch. */
export interface StoredPage extends KnownPage {
  title: string;
  hash: string;
}

export interface SourceOptions {
  maxFileBytes: number;
  extraction: ExtractionLimits;
  /** Recognises the text of scanned pages. Undefined: nobody does. */
  recognition?: TextRecognition | undefined;
  /** Fetches the addresses that users gave. */
  pages: PageFetches;
  /** Called with an error that is the service's fault, not the item's. */
  reportError(error: unknown): void;
}

/** Finds what is stored of a source from its last fetch, if the server sent validators with it. */
export type FindPage = (source: string) => Promise<StoredPage | undefined>;

/** Items read ahead of the current one: pages are fetched in parallel, and memory stays bounded. */
const maxReadAhead = 3;

/**
 * Reads items, in order, except that a page may come before earlier ones whose servers take longer. One that can't be read is a
 * FailedItem; only an abort of the caller's signal throws. The consumer closes each item.
 *
 * @param onProgress called when an item is fetched or read, and when it waits for that
 * @param findPage finds what is stored of a source; a page that is still the same is an UnchangedItem
 */
export async function* readItems<Entry extends { item: Item | FailedItem }>(
  entries: readonly Entry[],
  options: SourceOptions,
  caller: Caller = { client: "" },
  onProgress?: (entry: Entry, progress: ItemProgress) => void,
  findPage?: FindPage,
): AsyncGenerator<{ entry: Entry; item: ReadItem | UnchangedItem | FailedItem }, void, undefined> {
  const waiting = [...entries];
  const ahead: ReadAhead<Entry>[] = [];
  const readAhead = () => {
    for (const entry of waiting.splice(0, maxReadAhead - ahead.length)) {
      const report = (progress: ItemProgress) => onProgress?.(entry, progress);
      const reading = readItem(entry.item, options, { ...caller, onProgress: report }, findPage);
      // Awaited when its turn comes, unless the consumer stops before.
      reading.catch(() => undefined);
      ahead.push({ entry, reading });
    }
  };
  try {
    for (readAhead(); ahead.length > 0; readAhead()) {
      const next = findNext(ahead).map(async (one) => ({ one, item: await one.reading }));
      const { one, item } = await Promise.race(next);
      ahead.splice(ahead.indexOf(one), 1);
      yield { entry: one.entry, item };
    }
  } finally {
    for (const { reading } of ahead) void reading.then(closeItem, () => undefined);
  }
}

interface ReadAhead<Entry> {
  entry: Entry;
  reading: Promise<ReadItem | UnchangedItem | FailedItem>;
}

/** What may come next: the first item or, while all are pages, any of them but those with an earlier one of the same source. */
function findNext<Entry extends { item: Item | FailedItem }>(ahead: readonly ReadAhead<Entry>[]): ReadAhead<Entry>[] {
  const isPage = ({ item }: Entry) => "content" in item && "address" in item.content;
  if (!ahead.every(({ entry }) => isPage(entry))) return ahead.slice(0, 1);
  return [...new Map(ahead.toReversed().map((one) => [one.entry.item.source, one])).values()].toReversed();
}

/** Releases what an item holds besides memory. */
export async function closeItem(item: ReadItem | UnchangedItem | FailedItem): Promise<void> {
  if ("document" in item && "close" in item.document) await item.document.close();
}

async function readItem(
  item: Item | FailedItem,
  options: SourceOptions,
  caller: ReadingCaller,
  findPage: FindPage | undefined,
): Promise<ReadItem | UnchangedItem | FailedItem> {
  if ("error" in item) return item;
  const { source, filename, content, title: given, fallbackTitle: fallback } = item;
  const { metadata } = item;
  let stored: StoredPage | undefined;
  try {
    if ("address" in content) stored = await findPage?.(source);
    const { document, url, validators } =
      "address" in content
        ? await options.pages.read(content.address, caller, (page) => readPage(page, options, caller), stored)
        : { document: await readWithScans(content, options, caller), url: undefined, validators: undefined };
    caller.onProgress?.({ stage: "waiting" });
    const title = toTitle(document, { given, fallback });
    const changes = { ...(given !== undefined && { title }), ...(metadata && { metadata }) };
    const found = addFindings(metadata, document);
    return { source, title, document, url, filename, metadata: found, validators, changes };
  } catch (error) {
    caller.signal?.throwIfAborted();
    if (error instanceof NotModifiedError && stored) {
      const title = toOneLine(given ?? "");
      const changes = { ...(title !== "" && { title }), ...(metadata && { metadata }) };
      return { source, title: title || stored.title, hash: stored.hash, changes };
    }
    const title = given ?? fallback;
    return { source, ...(title !== undefined && { title }), ...toItemError(error, options) };
  }
}

async function readPage(
  { url, contentType, path, bytesOnDisk, validators }: FetchedPage,
  options: SourceOptions,
  caller: ReadingCaller,
): Promise<{ document: PreparedDocument; url: string; validators: Validators | undefined }> {
  caller.onProgress?.({ stage: "waiting" });
  // The last part of the path may have an extension.
  const filename = URL.parse(url)?.pathname.split("/").at(-1) || undefined;
  const input = { path, bytesOnDisk, url, contentType, filename };
  return { document: await readWithScans(input, options, caller), url, validators };
}

/** The client's fields, and what the document says about itself that has no place elsewhere. */
function addFindings(
  metadata: CustomMetadata | undefined,
  { language, isMainContent }: PreparedDocument,
): CustomMetadata | undefined {
  const all = {
    ...metadata,
    ...(language !== undefined && { language }),
    ...(isMainContent !== undefined && { main_content: isMainContent }),
  };
  return Object.keys(all).length === 0 ? undefined : all;
}

function toItemError(error: unknown, { reportError }: SourceOptions): Pick<FailedItem, "error" | "code"> {
  if (error instanceof ExtractionError || error instanceof SafeFetchError) {
    if (error.cause instanceof ProxyError || error.code === "recognition_failed") reportError(error);
    return { error: error.message, code: error.code };
  }
  reportError(error);
  return { error: "The item could not be read.", code: "damaged" };
}
