import { createHash } from "node:crypto";

/**
 * The table of a namespace. A hash, because names are any text of up to 128 characters: a folder's name may not hold
 * them all, nor be that long, and many file systems take `A` and `a`, or two spellings of `é`, for the same.
 */
export const tableNameOf = (namespace: string): string => createHash("sha256").update(namespace, "utf8").digest("hex");

/** How the names of tables begin that are being made, of which one that is left behind is empty, or removed. */
export const draftPrefix = "draft-";
