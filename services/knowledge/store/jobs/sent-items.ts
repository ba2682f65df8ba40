import type { CustomMetadata } from "@agent-backends/contract";

export interface UploadedFile {
  filename: string;
  contentType?: string | undefined;
  path: string;
  bytesOnDisk: number;
  /** Whether it was cut off, because it is larger than `maxFileBytes`. */
  truncated?: boolean | undefined;
}

/** The text of a source whose value is long, in UTF-8 on disk. The value in `sources` is only the text's beginning. */
export interface LongText {
  /** The source's 0-based position in the request. */
  position: number;
  path: string;
  bytesOnDisk: number;
}

/** The items of one request as they were sent: sources first, then files. */
export interface SentItems {
  sources: readonly unknown[];
  longTexts?: readonly LongText[] | undefined;
  files: readonly UploadedFile[];
  /** Fields of every item. An item's own fields win. */
  metadata?: CustomMetadata | undefined;
}

/** What is known of an item's size before it is read. Items of one class don't wait for those of another. In ascending order. */
export const itemSizes = ["small", "page", "large"] as const;
export type ItemSize = (typeof itemSizes)[number];
