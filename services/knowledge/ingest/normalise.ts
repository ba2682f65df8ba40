import { createHash } from "node:crypto";

/** A quick test for texts that may contain `invisible` characters. Most have none. */
const invisibleHint = /[\u061c\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\udb40]/;
/**
 * Invisible characters, which can make a text mean something else to a model or a search than to a reader: zero-width characters,
 * bidirectional controls, tags and variation selectors. Those that scripts need are kept: joiners after a letter of a joining script
 * and in emoji, tags in flags, and selectors after Han characters.
 */
const invisible = new RegExp(
  [
    String.raw`[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]`,
    String.raw`(?<![\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f]|(?![\p{sc=Latin}\p{sc=Greek}\p{sc=Cyrillic}\p{sc=Han}\p{sc=Inherited}])[\p{L}\p{M}]|[\u064b-\u0655])[\u200c\u200d]`,
    String.raw`(?<!\u{1f3f4}[\u{e0020}-\u{e007e}]{0,8})[\u{e0000}-\u{e007f}]`,
    String.raw`(?<!\p{sc=Han})[\u{e0100}-\u{e01ef}]`,
  ].join("|"),
  "gu",
);

/**
 * The form in which text is stored, hashed and cited: Unicode NFC, `\n` for CRLF and CR, no white space at either end, no invisible
 * controls. Lone surrogates, which UTF-8 can't represent, become U+FFFD. Nothing else changes, so that clients can compute the hash of
 * their text.
 */
export function normaliseText(text: string): string {
  return toNormalForm(text).trim();
}

/** `normaliseText` without trimming. */
export function toNormalForm(text: string): string {
  const visible = invisibleHint.test(text) ? text.toWellFormed().replace(invisible, "") : text.toWellFormed();
  return visible.replace(/\r\n?/g, "\n").normalize("NFC");
}

/** Long texts are encoded in pieces of this many UTF-16 code units, to avoid copying the whole text. */
const pieceCharacters = 1 << 20;

/** Splits a text into pieces, but never inside a surrogate pair. */
export function* splitIntoPieces(text: string, length = pieceCharacters): Generator<string, void, undefined> {
  for (let start = 0; start < text.length; ) {
    const last = start + length - 1;
    // Encode the two halves of a surrogate pair together.
    const end = isHighSurrogate(text.charCodeAt(last)) ? last : last + 1;
    yield text.slice(start, end);
    start = end;
  }
}

/** SHA-256 of the UTF-8 bytes of `text`, in lower-case hex. The text must already be normalised. */
export function hashText(text: string): string {
  const hash = createHash("sha256");
  for (const piece of splitIntoPieces(text)) hash.update(piece, "utf8");
  return hash.digest("hex");
}

const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;
