import * as z from "zod";
import type { ExtractedDocument, ExtractionErrorCode, ExtractionLimits } from "./extract/index.ts";
import { ExtractionError, extractText, markdownDocument, plainTextDocument } from "./extract/index.ts";
import { titleOf } from "./title.ts";

/** An uploaded file; its bytes are read when its turn comes and then handed over. */
export interface UploadedFile {
  filename: string;
  contentType?: string | undefined;
  /** Whether it was cut off, because it is larger than `maxFileBytes`. */
  truncated?: boolean | undefined;
  read(): Promise<Uint8Array>;
}

/** What fetching an address gives. */
export interface FetchedPage {
  /** The address after redirects. */
  url: string;
  contentType: string | undefined;
  bytes: Uint8Array;
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
  | { source: string; title: string; document: ExtractedDocument; url?: string; filename?: string }
  | { source: string; title?: string; error: string; code: ItemErrorCode };

export interface SourceOptions {
  /** Largest file, in bytes; named in the message of one that is larger. */
  maxFileBytes: number;
  extraction: ExtractionLimits;
  /**
   * Fetches an address that a user gave, with the service's rules for addresses, time and size. Rejects with an error that
   * has a FetchErrorCode as `code` and a message that may be shown.
   */
  fetchAddress(url: string, signal: AbortSignal | undefined): Promise<FetchedPage>;
  /** Told of an error that is neither the item's fault nor its address's. */
  reportError(error: unknown): void;
}

/** Items read ahead of the one that is asked for, so that pages are fetched side by side but memory stays bounded. */
const itemsReadAhead = 3;

const sourceSchema = z.object({
  type: z.string(),
  value: z.string(),
  title: z.string().nullish(),
});

/**
 * Reads the items of one ingest request, sources first, in the request's order. A source is `{type, value, title?}` of type
 * `text`, `markdown` or `url`, or a bare string, which is a URL when it starts with http:// or https:// and else text.
 * An item that can't be read is an item with an error; only an abort of `signal` throws.
 */
export async function* loadItems(
  request: { sources: readonly unknown[]; files: readonly UploadedFile[] },
  options: SourceOptions,
  signal?: AbortSignal,
): AsyncGenerator<LoadedItem, void, undefined> {
  const loaders = [
    ...request.sources.map((source, position) => () => loadSource(source, position, options, signal)),
    ...request.files.map((file) => () => loadFile(file, options, signal)),
  ];
  const ahead: Promise<LoadedItem>[] = [];
  for (const [position] of loaders.entries()) {
    for (const load of loaders.slice(position + ahead.length, position + 1 + itemsReadAhead)) {
      const item = load();
      item.catch(() => undefined); // Seen when its turn comes; a consumer that stops earlier doesn't want it.
      ahead.push(item);
    }
    const next = ahead.shift();
    if (next !== undefined) yield await next;
  }
}

/** Reads one element of `sources`; `position` is its 0-based place there. */
export async function loadSource(
  source: unknown,
  position: number,
  options: SourceOptions,
  signal?: AbortSignal,
): Promise<LoadedItem> {
  const parsed = sourceSchema.safeParse(typeof source === "string" ? fromBareString(source) : source);
  if (!parsed.success) {
    return invalidItem(
      `text:${position}`,
      `Give the source as {type, value, title?} or as a string: ${reasons(parsed.error)}.`,
    );
  }
  const { type, value } = parsed.data;
  const given = parsed.data.title?.trim() || undefined;
  switch (type) {
    case "text":
      return loadItem(
        { source: `text:${position}`, given },
        async () => ({ document: plainTextDocument(value) }),
        options,
      );
    case "markdown":
      return loadItem(
        { source: `markdown:${position}`, given },
        async () => ({ document: markdownDocument(value) }),
        options,
      );
    case "url":
      return loadAddress(value.trim(), given, options, signal);
    default:
      return invalidItem(
        `text:${position}`,
        `The type ${JSON.stringify(type)} is unknown; use text, markdown or url.`,
        given,
      );
  }
}

/** Reads one uploaded file. */
export async function loadFile(file: UploadedFile, options: SourceOptions, signal?: AbortSignal): Promise<LoadedItem> {
  const { filename, contentType } = file;
  const read = async () => {
    if (file.truncated) throw tooLarge(options.maxFileBytes);
    const bytes = await file.read();
    if (bytes.byteLength > options.maxFileBytes) throw tooLarge(options.maxFileBytes);
    return { document: await extractText({ bytes, filename, contentType, signal }, options.extraction) };
  };
  return loadItem({ source: `file:${filename}`, filename, fallback: filename }, read, options, signal);
}

function loadAddress(
  address: string,
  given: string | undefined,
  options: SourceOptions,
  signal: AbortSignal | undefined,
): Promise<LoadedItem> {
  const read = async () => {
    const page = await options.fetchAddress(address, signal);
    const file = { ...page, filename: filenameOf(page.url), signal };
    return { document: await extractText(file, options.extraction), url: page.url };
  };
  return loadItem({ source: `url:${address}`, given, fallback: address }, read, options, signal);
}

async function loadItem(
  item: { source: string; given?: string | undefined; fallback?: string; filename?: string },
  read: () => Promise<{ document: ExtractedDocument; url?: string }>,
  options: SourceOptions,
  signal?: AbortSignal,
): Promise<LoadedItem> {
  const { source, given, fallback, filename } = item;
  try {
    const { document, url } = await read();
    return {
      source,
      title: titleOf(document, { given, fallback }),
      document,
      ...(url === undefined ? {} : { url }),
      ...(filename === undefined ? {} : { filename }),
    };
  } catch (error) {
    signal?.throwIfAborted();
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

function fromBareString(value: string): { type: string; value: string } {
  return { type: /^https?:\/\//i.test(value.trim()) ? "url" : "text", value };
}

function invalidItem(source: string, error: string, title?: string): LoadedItem {
  return { source, ...(title === undefined ? {} : { title }), error, code: "invalid_item" };
}

function reasons(error: z.ZodError): string {
  return error.issues.map((issue) => [issue.path.join("."), issue.message].filter(Boolean).join(": ")).join("; ");
}

function tooLarge(maxFileBytes: number): ExtractionError {
  return new ExtractionError("too_large", `The file is larger than the limit of ${maxFileBytes} bytes.`);
}

/** The last part of an address's path, which may carry an extension. */
function filenameOf(url: string): string | undefined {
  const name = URL.parse(url)?.pathname.split("/").at(-1);
  return name === "" ? undefined : name;
}
