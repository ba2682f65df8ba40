const wordCharacter = /[\p{L}\p{M}\p{N}_]/u;
const unspacedCharacter = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/u;
const isWord = 1;
const isUnspaced = 2;
const isKnown = 4;
const known = new Uint8Array(0x1_0000);

function classAt(text: string, index: number): number {
  const unit = text.charCodeAt(index);
  if (Number.isNaN(unit)) return 0;
  if (known[unit] === 0) {
    const character = String.fromCharCode(unit);
    const isWordCharacter = wordCharacter.test(character) ? isWord : 0;
    known[unit] = isKnown | isWordCharacter | (unspacedCharacter.test(character) ? isUnspaced : 0);
  }
  return known[unit] ?? 0;
}

/** Whether the UTF-16 unit at an index is a letter, a mark, a digit or an underscore; false outside the text. */
export const isWordAt = (text: string, index: number): boolean => (classAt(text, index) & isWord) !== 0;

/** Whether the character at an index belongs to a script without spaces, or is Korean. */
export const isUnspacedAt = (text: string, index: number): boolean => (classAt(text, index) & isUnspaced) !== 0;

/** Stands in a text for what has been read already. */
export const blank = "\ue000";

/** Replaces places of a text with {@link blank}. */
export function blankOut(text: string, places: readonly ({ start: number; end: number } | undefined)[]): string {
  let blanked = text;
  for (const place of places) {
    if (place === undefined) continue;
    blanked = blanked.slice(0, place.start) + blank.repeat(place.end - place.start) + blanked.slice(place.end);
  }
  return blanked;
}
