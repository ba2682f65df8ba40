import { splitRecords } from "../chunk/tables.ts";
import { toNormalForm } from "../normalise.ts";

/**
 * Minimum length of a stretch, in UTF-16 code units. All stretches except the first are at most twice as long. Strings of four times
 * this length added 30 MB to the peak memory for a text of 50 MB, because they stay until a full collection. Shorter stretches would
 * cut more chunks short.
 */
const minStretchCharacters = 1 << 16;
/** Maximum length of the first stretch. Texts up to this length are extracted as a whole. */
const maxFirstCharacters = 1 << 19;

/**
 * Normalises a text that arrives in pieces, cut anywhere except inside a surrogate pair. Yields stretches that end after an empty line,
 * a line or a word if possible, or after a record of separated values. The joined stretches equal the `normaliseText` of the joined
 * pieces.
 */
export function* cutIntoStretches(
  pieces: Iterable<string>,
  { isSeparatedValues }: { isSeparatedValues?: true } = {},
): Generator<string, undefined, undefined> {
  let maxCharacters = maxFirstCharacters;
  let waiting = "";
  for (const piece of normalisePieces(pieces)) {
    waiting += piece;
    while (waiting.length >= maxCharacters) {
      const end =
        (isSeparatedValues && findRecordsEnd(waiting, maxCharacters)) || findStretchEnd(waiting, maxCharacters);
      yield waiting.slice(0, end);
      waiting = waiting.slice(end);
      maxCharacters = 2 * minStretchCharacters;
    }
  }
  if (waiting !== "") yield waiting;
  return undefined;
}

/** The end of the last record that fits. Undefined if no record fits, or the records that fit are shorter than a stretch. */
function findRecordsEnd(text: string, max: number): number | undefined {
  let last = 0;
  for (const { end } of splitRecords(text, { start: 0, end: text.length })) {
    if (end > max) break;
    last = end;
  }
  return last >= minStretchCharacters ? last : undefined;
}

function findStretchEnd(text: string, max: number): number {
  for (const separator of ["\n\n", "\n", " "]) {
    const found = text.lastIndexOf(separator, max - separator.length);
    if (found >= minStretchCharacters) return found + separator.length;
  }
  const code = text.charCodeAt(max);
  return code >= 0xdc00 && code <= 0xdfff ? max - 1 : max;
}

/** Normalises all pieces together. No yielded piece is blank: it includes the white space before it. */
export function* normalisePieces(pieces: Iterable<string>): Generator<string, void, undefined> {
  let waiting = "";
  let spaces = "";
  let hasBegun = false;
  function* pass(raw: string): Generator<string, void, undefined> {
    const text = hasBegun ? toNormalForm(raw) : toNormalForm(raw).trimStart();
    const visible = text.trimEnd();
    if (visible !== "") {
      yield spaces + visible;
      hasBegun = true;
      spaces = "";
    }
    // Trailing white space is held back, because it is dropped at the end of the text.
    if (hasBegun) spaces += text.slice(visible.length);
  }
  for (const piece of pieces) {
    const searchedFrom = waiting.length;
    waiting += piece;
    const cut = findLastBoundary(waiting, searchedFrom);
    if (cut === undefined) continue;
    yield* pass(waiting.slice(0, cut));
    waiting = waiting.slice(cut);
  }
  yield* pass(waiting);
}

/** Characters that never compose with the previous one, and whose meaning doesn't depend on it. */
const boundaryCharacter = /[\t\r -~\u0400-\u0481\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3]/;

/** The last offset after `from` where a text can be cut so that both parts can be normalised separately. */
function findLastBoundary(text: string, from: number): number | undefined {
  for (let offset = text.length - 1; offset > from; offset--) {
    if (boundaryCharacter.test(text.charAt(offset))) return offset;
  }
  return undefined;
}
