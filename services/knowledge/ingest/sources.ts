import { posix } from "node:path";
import type { CustomMetadata } from "@agent-backends/contract";
import { customMetadataSchema } from "@agent-backends/contract";
import type { Caller } from "@agent-backends/kit";
import * as z from "zod";
import type { ExtractionErrorCode, ExtractionLimits } from "./extract/index.ts";
import { ExtractionError } from "./extract/index.ts";
import type { FetchedPage, PageFetches } from "./page-fetches.ts";
import type { PreparedDocument } from "./prepare.ts";
import type { DocumentInput } from "./threads/document-input.ts";
import { readDocument } from "./threads/read-document.ts";
import { titleOf } from "./title.ts";

/** An uploaded file, on disk. */
export interface UploadedFile {
  filename: string;
  contentType?: string | undefined;
  path: string;
  bytesOnDisk: number;
  /** Whether it was cut off, because it is larger than `maxFileBytes`. */
  truncated?: boolean | undefined;
}

/** The text of a source that is long, in UTF-8 on disk. */
export interface LongText {
  /** The source's 0-based place in the request, where its value is the text's beginning. */
  position: number;
  path: string;
  bytesOnDisk: number;
}

export type FetchErrorCode =
  | "invalid_url"
  | "forbidden_address"
  | "unreachable"
  | "http_status"
  | "timed_out"
  | "too_large";

export type ItemErrorCode = FetchErrorCode | ExtractionErrorCode | "invalid_item";

/** One item of a request, read: in a form to be stored, or with the reason why it can't be. */
export type LoadedItem =
  | {
      source: string;
      title: string;
      document: PreparedDocument;
      url?: string;
      filename?: string;
      metadata?: CustomMetadata;
    }
  | { source: string; title?: string; error: string; code: ItemErrorCode };

export interface SourceOptions {
  /** Largest file, in bytes; named in the message of one that is larger. */
  maxFileBytes: number;
  extraction: ExtractionLimits;
  /**
   * Fetch addresses that users gave, with the service's rules for addresses, time and size. What fails is an error that has a
   * FetchErrorCode as `code` and a message that may be shown.
   */
  pages: PageFetches;
  /** Told of an error that is neither the item's fault nor its address's. */
  reportError(error: unknown): void;
}

/** Items read ahead of the one that is asked for, so that pages are fetched side by side but memory stays bounded. */
const itemsReadAhead = 3;

/** A type that is none is shown up to this length, in UTF-16 code units. */
const longestTypeShown = 100;

const text = z.string("must be text");
const sourceSchema = z.object(
  { type: text, value: text, title: text.nullish(), metadata: customMetadataSchema.nullish() },
  "it is neither an object nor a text",
);

export interface ItemsRequest {
  sources: readonly unknown[];
  longTexts?: readonly LongText[] | undefined;
  files: readonly UploadedFile[];
  /** Fields of every item; those of an item itself win. */
  metadata?: CustomMetadata | undefined;
  /** Told when the reading of an item begins; `position` is its 0-based place in the request. */
  onReading?: ((position: number) => void) | undefined;
  /** Whether an item is left out, and yields nothing. */
  isDone?: ((position: number) => boolean) | undefined;
}

/**
 * Reads the items of one ingest request, sources first, in the request's order. A source is `{type, value, title?}` of type
 * `text`, `markdown` or `url`, or a bare string, which is a URL when it starts with http:// or https:// and else text.
 * An item that can't be read is an item with an error; only an abort of the caller's signal throws. Whoever takes an item closes it.
 */
export async function* loadItems(
  request: ItemsRequest,
  options: SourceOptions,
  caller: Caller = { client: "" },
): AsyncGenerator<{ position: number; item: LoadedItem }, void, undefined> {
  const { sources, longTexts = [], files, metadata, onReading, isDone } = request;
  const longTextOf = new Map(longTexts.map((text) => [text.position, text]));
  const loaders = [
    ...sources.map((source, position) => () => {
      return loadSource({ source, position, longText: longTextOf.get(position) }, options, caller);
    }),
    ...files.map((file) => () => loadFile(file, options, caller)),
  ].flatMap((load, position) => (isDone?.(position) ? [] : { load, position }));
  const ahead: Promise<LoadedItem>[] = [];
  try {
    for (const [turn, { position }] of loaders.entries()) {
      for (const next of loaders.slice(turn + ahead.length, turn + 1 + itemsReadAhead)) {
        onReading?.(next.position);
        const item = next.load();
        item.catch(() => undefined); // Seen when its turn comes; a consumer that stops earlier doesn't want it.
        ahead.push(item);
      }
      const item = await ahead[0];
      ahead.shift();
      if (item !== undefined) yield { position, item: withMetadata(item, metadata) };
    }
  } finally {
    for (const item of ahead) void item.then(closeItem, () => undefined);
  }
}

/** Lets go of what an item holds besides memory. */
export async function closeItem(item: LoadedItem): Promise<void> {
  if (!("error" in item) && typeof item.document.text !== "string") await item.document.text.close();
}

/** What an item is called in an answer before anything of it was read. */
export function sourceNames(sources: readonly unknown[], files: readonly { filename: string }[]): string[] {
  return [
    ...sources.map((source, position) => {
      const { type, value } = sourceSchema.safeParse(asSource(source)).data ?? {};
      if (type === "url") return `url:${value?.trim()}`;
      return type === "markdown" ? `markdown:${position}` : `text:${position}`;
    }),
    ...files.map(({ filename }) => `file:${filename}`),
  ];
}

/** The client's fields with what the document tells of itself and has no place elsewhere. */
function withMetadata(item: LoadedItem, shared: CustomMetadata | undefined): LoadedItem {
  if ("error" in item) return item;
  const { language, isMainContent } = item.document;
  const metadata = {
    ...shared,
    ...item.metadata,
    ...(language === undefined ? {} : { language }),
    ...(isMainContent === undefined ? {} : { main_content: isMainContent }),
  };
  return Object.keys(metadata).length === 0 ? item : { ...item, metadata };
}

/** Reads one element of `sources`; `position` is its 0-based place there. */
async function loadSource(
  { source, position, longText }: { source: unknown; position: number; longText: LongText | undefined },
  options: SourceOptions,
  caller: Caller,
): Promise<LoadedItem> {
  const parsed = sourceSchema.safeParse(asSource(source));
  if (!parsed.success) {
    return invalidItem(
      `text:${position}`,
      `Give the source as {type, value, title?} or as a string: ${reasons(parsed.error)}.`,
    );
  }
  const { type, value } = parsed.data;
  const given = { given: parsed.data.title?.trim() || undefined, metadata: parsed.data.metadata ?? undefined };
  switch (type) {
    case "text":
    case "markdown": {
      const content = { format: type, ...(longText ?? { text: value }) };
      const read = async () => ({ document: await readDocument({ content }, options.extraction, caller) });
      return loadItem({ source: `${type}:${position}`, ...given }, read, options, caller);
    }
    case "url":
      if (longText !== undefined) {
        return { source: `url:${value.trim()}`, error: "The address is far too long to be one.", code: "invalid_url" };
      }
      return loadAddress(value.trim(), given, options, caller);
    default:
      return invalidItem(
        `text:${position}`,
        `The type ${JSON.stringify(type.slice(0, longestTypeShown))} is unknown; use text, markdown or url.`,
        given.given,
      );
  }
}

/** Reads one uploaded file. */
export async function loadFile(file: UploadedFile, options: SourceOptions, caller: Caller): Promise<LoadedItem> {
  const { filename, contentType, path, bytesOnDisk } = file;
  const read = async () => {
    if (file.truncated || bytesOnDisk > options.maxFileBytes) throw tooLarge(options.maxFileBytes);
    const input: DocumentInput = { content: { path, bytesOnDisk }, filename, contentType };
    return { document: await readDocument(input, options.extraction, caller) };
  };
  return loadItem({ source: `file:${filename}`, filename, fallback: posix.basename(filename) }, read, options, caller);
}

function loadAddress(
  address: string,
  about: { given: string | undefined; metadata: CustomMetadata | undefined },
  options: SourceOptions,
  caller: Caller,
): Promise<LoadedItem> {
  const readPage = async ({ url, contentType, path, bytesOnDisk }: FetchedPage) => {
    const input: DocumentInput = { content: { path, bytesOnDisk }, url, contentType, filename: filenameOf(url) };
    return { document: await readDocument(input, options.extraction, caller), url };
  };
  const read = () => options.pages.read(address, caller, readPage);
  return loadItem({ source: `url:${address}`, ...about, fallback: address }, read, options, caller);
}

async function loadItem(
  item: {
    source: string;
    given?: string | undefined;
    fallback?: string;
    filename?: string;
    metadata?: CustomMetadata | undefined;
  },
  read: () => Promise<{ document: PreparedDocument; url?: string }>,
  options: SourceOptions,
  caller: Caller,
): Promise<LoadedItem> {
  const { source, given, fallback, filename, metadata } = item;
  try {
    const { document, url } = await read();
    return {
      source,
      title: titleOf(document, { given, fallback }),
      document,
      ...(url === undefined ? {} : { url }),
      ...(filename === undefined ? {} : { filename }),
      ...(metadata === undefined ? {} : { metadata }),
    };
  } catch (error) {
    caller.signal?.throwIfAborted();
    const title = given ?? fallback;
    return { source, ...(title === undefined ? {} : { title }), ...describeError(error, options) };
  }
}

function describeError(error: unknown, options: SourceOptions): { error: string; code: ItemErrorCode } {
  if (error instanceof ExtractionError) return { error: error.message, code: error.code };
  if (isFetchError(error)) return { error: error.message, code: error.code };
  options.reportError(error);
  return { error: "The item could not be read.", code: "damaged" };
}

const fetchErrorCodes: ReadonlySet<unknown> = new Set<FetchErrorCode>([
  "invalid_url",
  "forbidden_address",
  "unreachable",
  "http_status",
  "timed_out",
  "too_large",
]);

function isFetchError(error: unknown): error is Error & { code: FetchErrorCode } {
  return error instanceof Error && "code" in error && fetchErrorCodes.has(error.code);
}

function asSource(source: unknown): unknown {
  if (typeof source !== "string") return source;
  return { type: /^\s*https?:\/\//i.test(source) ? "url" : "text", value: source };
}

function invalidItem(source: string, error: string, title?: string): LoadedItem {
  return { source, ...(title === undefined ? {} : { title }), error, code: "invalid_item" };
}

function reasons(error: z.ZodError): string {
  const said = error.issues.map((issue) => {
    // Of a name that is refused, what is wrong is said one level down.
    const message = issue.code === "invalid_key" ? (issue.issues[0]?.message ?? issue.message) : issue.message;
    return [issue.path.map(String).join("."), message].filter(Boolean).join(" ");
  });
  return said.join("; ");
}

function tooLarge(maxFileBytes: number): ExtractionError {
  return new ExtractionError("too_large", `The file is larger than the limit of ${maxFileBytes} bytes.`);
}

/** The last part of an address's path, which may carry an extension. */
function filenameOf(url: string): string | undefined {
  const name = URL.parse(url)?.pathname.split("/").at(-1);
  return name === "" ? undefined : name;
}
