import { createHash } from "node:crypto";

/**
 * The one form in which text is stored, hashed and cited: Unicode NFC, `\n` for CRLF and CR, no white space at either
 * end. Lone surrogates, which UTF-8 can't hold, become U+FFFD. Nothing else changes, so that a client that knows its
 * text can compute the hash itself.
 */
export function normaliseText(text: string): string {
  return text.toWellFormed().replace(/\r\n?/g, "\n").normalize("NFC").trim();
}

/** SHA-256, in lower-case hex, of the UTF-8 bytes of `text`, which must be normalised already. */
export function hashText(text: string): string {
  return createHash("sha256").update(text, "utf8").digest("hex");
}
