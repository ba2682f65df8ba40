import { posix } from "node:path";
import type { CustomMetadata, IngestErrorCode } from "@agent-backends/contract";
import { customMetadataSchema, describeIssue, sourceSchema } from "@agent-backends/contract";
import type { z } from "zod";
import type { ItemSize, LongText, SentItems, UploadedFile } from "../store/jobs/sent-items.ts";
import { itemSizes } from "../store/jobs/sent-items.ts";
import { isBinaryFile } from "./extract/detect.ts";
import type { DocumentInput } from "./prepared-document.ts";
import { getInputSize, maxSmallInputSize } from "./prepared-document.ts";
import { getStringType } from "./unfetched-addresses.ts";

/** An item that can't be stored, in the form used in the response. */
export interface FailedItem {
  source: string;
  title?: string;
  error: string;
  code: IngestErrorCode;
}

/** An item to read: a text, a file or a web page. */
export interface Item {
  source: string;
  id?: string | undefined;
  /** The title sent with it. */
  title?: string | undefined;
  /** The title to use if the document has none of its own. */
  fallbackTitle?: string;
  filename?: string;
  metadata?: CustomMetadata | undefined;
  content: DocumentInput | { address: string };
}

function getLargest(items: readonly (Item | FailedItem)[]): ItemSize {
  const sizes = items.map(getItemSize);
  return itemSizes.findLast((size) => sizes.includes(size)) ?? "small";
}

/**
 * The size class of each item. All items of a source are in the class of the largest one, because their order decides which of them
 * replaces what was stored before.
 */
export function getSizes(items: readonly (Item | FailedItem)[]): ItemSize[] {
  const bySource = Map.groupBy(items, ({ source }) => source);
  const sizes = new Map([...bySource].map(([source, ofSource]) => [source, getLargest(ofSource)]));
  return items.map(({ source }) => sizes.get(source) ?? "small");
}

function getItemSize(item: Item | FailedItem): ItemSize {
  if ("error" in item) return "small";
  if ("address" in item.content) return "page";
  return getInputSize(item.content) <= maxSmallInputSize ? "small" : "large";
}

/** Maximum length of an unknown type in an error message, in UTF-16 code units. */
const maxShownTypeCharacters = 100;

/**
 * The items of a request, in order. A source is `{type, value, id?, title?, metadata?}` of type `text`, `markdown` or `url`, or a
 * string, which is a URL if it starts with http:// or https:// and text otherwise. Only texts and Markdown have an `id`.
 */
export function parseItems(sent: SentItems, maxFileBytes: number): (Item | FailedItem)[] {
  const longTexts = new Map(sent.longTexts?.map((longText) => [longText.position, longText]));
  const items = [
    ...sent.sources.map((source, position) => parseSource(source, position, longTexts.get(position))),
    ...sent.files.map((file) => parseFile(file, maxFileBytes)),
  ];
  return refuseRepeatedIds(items).map((item) => ("error" in item ? item : addMetadata(item, sent.metadata)));
}

/** Adds the request's metadata. Together with the item's own metadata, it may exceed a limit that neither exceeds alone. */
function addMetadata(item: Item, metadata: CustomMetadata | undefined): Item | FailedItem {
  if (metadata === undefined && item.metadata === undefined) return item;
  const merged = customMetadataSchema.safeParse({ ...metadata, ...item.metadata }, { error: describeIssue });
  if (merged.success) return { ...item, metadata: merged.data };
  const { source, title } = item;
  const error = `The metadata of the request and of the item together: ${toReasons(merged.error)}.`;
  return { source, ...(title !== undefined && { title }), error, code: "invalid_item" };
}

/** Of several items with the same id, only the first is stored. With `on_conflict: "replace"`, the second would silently replace it. */
function refuseRepeatedIds(items: (Item | FailedItem)[]): (Item | FailedItem)[] {
  const known = new Set<string>();
  return items.map((item) => {
    if ("error" in item || item.id === undefined) return item;
    const { source, title, id } = item;
    if (known.has(source)) {
      const error = `An earlier item of this request has the id ${JSON.stringify(id)} as well; give each its own.`;
      return { source, ...(title !== undefined && { title }), error, code: "duplicate_id" };
    }
    known.add(source);
    return item;
  });
}

function parseSource(source: unknown, position: number, longText: LongText | undefined): Item | FailedItem {
  const parsed = sourceSchema.safeParse(typeof source === "string" ? toSource(source) : source, {
    error: describeIssue,
  });
  if (!parsed.success) {
    const error = `Give the source as {type, value, id?, title?} or as a string: ${toReasons(parsed.error)}.`;
    return { source: `text:${position}`, error, code: "invalid_item" };
  }
  const { type, value } = parsed.data;
  const title = parsed.data.title?.trim() || undefined;
  const metadata = parsed.data.metadata ?? undefined;
  const id = parsed.data.id ?? undefined;
  switch (type) {
    case "text":
    case "markdown": {
      const item = { source: `${type}:${id ?? position}`, id, title, metadata };
      if (isBinaryFile(value)) {
        const error = `The ${type === "text" ? "text" : "Markdown"} is the content of a binary file, such as a PDF; upload the file itself, as multipart/form-data.`;
        return { source: item.source, ...(title !== undefined && { title }), error, code: "unsupported" };
      }
      if (longText === undefined) return { ...item, content: { text: value, format: type } };
      const { path, bytesOnDisk } = longText;
      return { ...item, content: { path, bytesOnDisk, format: type } };
    }
    case "url": {
      const address = value.trim();
      const item = { source: `url:${address}`, title, metadata, fallbackTitle: address, content: { address } };
      if (id !== undefined) {
        const error = "A url takes no id: its address is its source. Leave the id out.";
        return { source: item.source, error, code: "invalid_item" };
      }
      if (longText === undefined) return item;
      return { source: item.source, error: "The URL is too long to be fetched.", code: "invalid_url" };
    }
    default: {
      const shown = JSON.stringify(type.slice(0, maxShownTypeCharacters));
      const error = `The type ${shown} is unknown; use text, markdown or url.`;
      return { source: `text:${position}`, ...(title !== undefined && { title }), error, code: "invalid_item" };
    }
  }
}

const toSource = (value: string) => ({ type: getStringType(value), value });

function toReasons(error: z.ZodError): string {
  const reasons = error.issues.map((issue) => {
    // For a refused key, the reason is in a nested issue.
    const message = issue.code === "invalid_key" ? (issue.issues[0]?.message ?? issue.message) : issue.message;
    return [issue.path.map(String).join("."), message].filter(Boolean).join(" ");
  });
  return reasons.join("; ");
}

function parseFile(file: UploadedFile, maxFileBytes: number): Item | FailedItem {
  const { filename, contentType, path, bytesOnDisk } = file;
  const source = `file:${filename}`;
  const fallbackTitle = posix.basename(filename);
  if (file.truncated || bytesOnDisk > maxFileBytes) {
    const error = `The file is larger than the limit of ${maxFileBytes} bytes.`;
    return { source, title: fallbackTitle, error, code: "too_large" };
  }
  return { source, fallbackTitle, filename, content: { path, bytesOnDisk, filename, contentType } };
}
