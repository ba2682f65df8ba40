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

export interface ReadItem {
  source: string;
  title: string;
  document: PreparedDocument;
  /** The address of a page after redirects. */
  url?: string | undefined;
  filename?: string | undefined;
  metadata?: CustomMetadata | undefined;
  /** Set for a page. */
  validators?: Validators | undefined;
  /** Fields sent with the item. A document that already has the same content gets them too. */
  changes: DocumentChanges;
}

/** A page whose content is already stored and hasn't changed since. */
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
  /** Recognises the text of scanned pages. Undefined if there is no recognition service. */
  recognition?: TextRecognition | undefined;
  /** Fetches addresses given by users. */
  pages: PageFetches;
  /** Called with an error that is the service's fault rather than the item's. */
  reportError(error: unknown): void;
}

/** Finds what is stored of a source from its last fetch, if the server sent validators with it. */
export type FindPage = (source: string) => Promise<StoredPage | undefined>;

/** Maximum number of items read ahead of the current one. Pages are fetched in parallel, while memory stays bounded. */
const maxReadAhead = 3;

/**
 * Reads items in order, except that a page may overtake earlier pages whose servers are slower. An unreadable item becomes a
 * FailedItem; only an abort of the caller's signal throws. The consumer closes each item.
 *
 * @param onProgress called when an item is fetched or read, and when it waits for that
 * @param findPage finds what is stored of a source; an unchanged page becomes an UnchangedItem
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
      // The promise is awaited later, unless the consumer stops before.
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

/** Candidates for the next item: the first one or, if all are pages, the first page of each source. */
function findNext<Entry extends { item: Item | FailedItem }>(ahead: readonly ReadAhead<Entry>[]): ReadAhead<Entry>[] {
  const isPage = ({ item }: Entry) => "content" in item && "address" in item.content;
  if (!ahead.every(({ entry }) => isPage(entry))) return ahead.slice(0, 1);
  return [...new Map(ahead.toReversed().map((one) => [one.entry.item.source, one])).values()].toReversed();
}

/** Releases the resources of an item other than memory. */
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
  // The last path segment may have a file extension.
  const filename = URL.parse(url)?.pathname.split("/").at(-1) || undefined;
  const input = { path, bytesOnDisk, url, contentType, filename };
  return { document: await readWithScans(input, options, caller), url, validators };
}

/** The client's fields, plus findings about the document that have no other field. */
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
