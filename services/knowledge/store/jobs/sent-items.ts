import type { CustomMetadata } from "@agent-backends/contract";

export interface UploadedFile {
  filename: string;
  contentType?: string | undefined;
  path: string;
  bytesOnDisk: number;
  /** Whether the file was cut off because it is larger than `maxFileBytes`. */
  truncated?: boolean | undefined;
}

/** The text of a source with a long value, in UTF-8 on disk. The value in `sources` is only the beginning of the text. */
export interface LongText {
  /** The source's 0-based position in the request. */
  position: number;
  path: string;
  bytesOnDisk: number;
}

/** The items of one request as sent: sources first, then files. */
export interface SentItems {
  sources: readonly unknown[];
  longTexts?: readonly LongText[] | undefined;
  files: readonly UploadedFile[];
  /** Metadata for every item. An item's own fields take precedence. */
  metadata?: CustomMetadata | undefined;
}

/** Size classes of items, known before they are read, in ascending order. Items of one class don't wait for those of another. */
export const itemSizes = ["small", "page", "large"] as const;
export type ItemSize = (typeof itemSizes)[number];
