const wordCharacter = /[\p{L}\p{M}\p{N}_]/u;
const unspacedCharacter = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/u;
const wordFlag = 1;
const unspacedFlag = 2;
const knownFlag = 4;
const characterFlags = new Uint8Array(0x1_0000);

function getFlags(text: string, index: number): number {
  const unit = text.charCodeAt(index);
  if (Number.isNaN(unit)) return 0;
  if (characterFlags[unit] === 0) {
    const character = String.fromCharCode(unit);
    const isWordCharacter = wordCharacter.test(character) ? wordFlag : 0;
    characterFlags[unit] = knownFlag | isWordCharacter | (unspacedCharacter.test(character) ? unspacedFlag : 0);
  }
  return characterFlags[unit] ?? 0;
}

/** Whether the UTF-16 unit at an index is a letter, a mark, a digit or an underscore; false outside the text. */
export const isWordAt = (text: string, index: number): boolean => (getFlags(text, index) & wordFlag) !== 0;

/** Whether the character at an index belongs to a script without spaces, or is Korean. */
export const isUnspacedAt = (text: string, index: number): boolean => (getFlags(text, index) & unspacedFlag) !== 0;

const afterArabicAnd = ["ال", "هذا", "هذه", "امس", "في "];

/** Arabic joins "and" to the next word. Other words start with the same letter. */
const isArabicAnd = (text: string, index: number): boolean =>
  text[index] === "و" && !isWordAt(text, index - 1) && afterArabicAnd.some((word) => text.startsWith(word, index + 1));

/** Whether a word or sign starts here. A Latin word may also start right after a script without spaces, an Arabic one after "and". */
export function beginsWord(text: string, index: number): boolean {
  if (!isWordAt(text, index) || !isWordAt(text, index - 1) || isUnspacedAt(text, index)) return true;
  if (isArabicAnd(text, index - 1)) return true;
  return text.charCodeAt(index - 1) > 0x7f && text.charCodeAt(index) < 0x80;
}

/** Whether a word or sign ends here. */
export function endsWord(text: string, index: number): boolean {
  if (!isWordAt(text, index - 1) || !isWordAt(text, index) || isUnspacedAt(text, index - 1)) return true;
  if (isArabicAnd(text, index - 1)) return true;
  return text.charCodeAt(index) > 0x7f && text.charCodeAt(index - 1) < 0x80;
}

/** Whether only punctuation lies between a position and the end of the previous clause. */
export function beginsClause(text: string, start: number): boolean {
  let before = start - 1;
  while (before >= 0 && !isWordAt(text, before) && !".!?;\n。！？".includes(text.charAt(before))) before--;
  return before < 0 || !isWordAt(text, before);
}

/** Replaces text that has already been read. */
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
