// Ranges that replace Unicode property classes. Texts are folded, so these few ranges suffice. A `\p{…}` class needs the flag `u`
// and takes about as long to compile as all the words of a pattern.
const ranges: Readonly<Record<string, string>> = {
  L: "A-Za-zªµº\\xc0-\\xd6\\xd8-\\xf6\\xf8-\\u02ff\\u0370-\\u0482\\u048a-\\u060b\\u0620-\\u065f\\u066e-\\u06ef\\u06fa-\\u0903\\u0904-\\u0939\\u093d\\u0950\\u0958-\\u0961\\u0970-\\u1fff\\u2c00-\\u2dff\\u3005-\\u3007\\u3031-\\u303c\\u3041-\\u318f\\u31f0-\\u31ff\\u3400-\\u4dbf\\u4e00-\\ud7ff\\uf900-\\ufdff\\ufe70-\\ufefc\\uff66-\\uffdc",
  M: "\\u0300-\\u036f\\u0483-\\u0489\\u093a-\\u093c\\u093e-\\u094f\\u0951-\\u0957\\u0962-\\u0963",
  N: "0-9\\xb2\\xb3\\xb9\\xbc-\\xbe\\u0660-\\u0669\\u0966-\\u096f",
  "Script=Han": "\\u3005\\u3007\\u3400-\\u4dbf\\u4e00-\\u9fff\\uf900-\\ufaff",
  "Script=Hiragana": "\\u3041-\\u309f",
  "Script=Katakana": "\\u30a1-\\u30ff\\u31f0-\\u31ff\\uff66-\\uff9f",
  "Script=Hangul": "\\u1100-\\u11ff\\u3131-\\u318e\\uac00-\\ud7a3",
  "Script=Devanagari": "\\u0900-\\u0963\\u0966-\\u097f",
  "Script=Cyrillic": "\\u0400-\\u052f",
  "Script=Latin": "A-Za-zªº\\xc0-\\xd6\\xd8-\\xf6\\xf8-\\u02af\\u1e00-\\u1eff",
  Extended_Pictographic:
    "\\xa9\\xae\\u203c-\\u2049\\u2122-\\u2bff\\u3030\\u303d\\u3297\\u3299\\ud83c-\\ud83e\\udc00-\\udfff",
};

/**
 * Compiles a regular expression for folded text. Line breaks and indents in the source are ignored. It supports the Unicode
 * properties above within the basic multilingual plane, without the flag `u`.
 */
export function pattern(source: string, flags = ""): RegExp {
  return new RegExp(withRanges(source.replaceAll(/\n\s*/g, "")), flags);
}

function withRanges(source: string): string {
  let expanded = "";
  let inClass = false;
  let read = 0;
  for (let at = source.indexOf("\\p{"); at >= 0; at = source.indexOf("\\p{", read)) {
    for (let index = read; index < at; index++) {
      const character = source.charAt(index);
      if (character === "\\") index++;
      else if (character === "[" || character === "]") inClass = character === "[";
    }
    const end = source.indexOf("}", at);
    const range = ranges[source.slice(at + 3, end)];
    if (range === undefined) throw new RangeError(`There are no ranges for ${source.slice(at, end + 1)}.`);
    expanded += source.slice(read, at) + (inClass ? range : `[${range}]`);
    read = end + 1;
  }
  return expanded + source.slice(read);
}

const wordCharacter = pattern(String.raw`[\p{L}\p{M}\p{N}_]`);
const known = new Uint8Array(0x1_0000);

/** Whether the UTF-16 unit at an index is a letter, a mark, a digit or an underscore; false outside the text. */
export function isWordAt(text: string, index: number): boolean {
  const unit = text.charCodeAt(index);
  if (Number.isNaN(unit)) return false;
  if (known[unit] === 0) known[unit] = wordCharacter.test(String.fromCharCode(unit)) ? 1 : 2;
  return known[unit] === 1;
}

/** End of a sticky pattern's match at an index. Undefined without a match. */
export function fitsAt(sticky: RegExp, text: string, index: number): number | undefined {
  sticky.lastIndex = index;
  return sticky.test(text) ? sticky.lastIndex : undefined;
}

/** A sticky pattern's match at an index. */
export function execAt(sticky: RegExp, text: string, index: number): RegExpExecArray | undefined {
  sticky.lastIndex = index;
  return sticky.exec(text) ?? undefined;
}

/** Stands in a text for what has been read already. */
export const blank = "\ue000";
