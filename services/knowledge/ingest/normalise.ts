import { createHash } from "node:crypto";

/** Whether any of what `invisible` looks for may be there; most texts have none, and this is quick. */
const maybeInvisible = /[\u061c\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\udb40]/;
/**
 * Characters that nobody sees and by which a text says something else to a model or a search than to a reader: zero-width
 * ones, bidirectional controls, tags and variation selectors. They stay where writing needs them: joiners after a letter
 * of a script that joins and in emoji, tags in flags, selectors after Han characters.
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
 * The one form in which text is stored, hashed and cited: Unicode NFC, `\n` for CRLF and CR, no white space at either
 * end, no invisible controls. Lone surrogates, which UTF-8 can't hold, become U+FFFD. Nothing else changes, so that a client
 * that knows its text can compute the hash itself.
 */
export function normaliseText(text: string): string {
  return normalForm(text).trim();
}

/** `normaliseText` without trimming. */
export function normalForm(text: string): string {
  const visible = maybeInvisible.test(text) ? text.toWellFormed().replace(invisible, "") : text.toWellFormed();
  return visible.replace(/\r\n?/g, "\n").normalize("NFC");
}

/** A long text is taken in pieces of so many UTF-16 code units: all of its bytes at once would be a copy of it. */
const takenAtOnce = 1 << 20;

/** A text in pieces, cut anywhere but inside a surrogate pair. */
export function* piecesOfText(text: string, length = takenAtOnce): Generator<string, void, undefined> {
  for (let start = 0; start < text.length; ) {
    const last = start + length - 1;
    // A pair of surrogates is one character, whose bytes its halves don't have.
    const end = isHighSurrogate(text.charCodeAt(last)) ? last : last + 1;
    yield text.slice(start, end);
    start = end;
  }
}

/** SHA-256, in lower-case hex, of the UTF-8 bytes of `text`, which must be normalised already. */
export function hashText(text: string): string {
  const hash = createHash("sha256");
  for (const piece of piecesOfText(text)) hash.update(piece, "utf8");
  return hash.digest("hex");
}

const isHighSurrogate = (code: number): boolean => code >= 0xd800 && code <= 0xdbff;
