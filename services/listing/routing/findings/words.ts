import type { Chart, Place } from "../text/chart.ts";

const separators =
  /(?:[\s,.!?…:;'"()¿¡&+\ue000\u3000-\u303f\uff00-\uff0f\uff1a-\uff20\p{Extended_Pictographic}-]|\u200d|\ufe0f)+/uy;
/** A word, or one character of a script without spaces. */
const word =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]|(?:(?![\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}])[\p{L}\p{M}\p{N}'])+/uy;

/** The end of what a sticky pattern matches at an index, or the index itself. */
function endAt(sticky: RegExp, text: string, index: number): number {
  sticky.lastIndex = index;
  return sticky.test(text) ? sticky.lastIndex : index;
}

/** Up to where a text from an index on only holds phrases of these categories, and what is hidden. */
export function endOfWords(chart: Chart, categories: ReadonlySet<string>, from = 0): number {
  const { text, hidden } = chart;
  for (let at = from; ; ) {
    const start = at;
    at = hidden.find((place) => place.start <= at && at < place.end)?.end ?? endAt(separators, text, at);
    at = chart.at(at).find(({ category, end }) => end > at && categories.has(category))?.end ?? at;
    if (at === start) return at;
  }
}

/** The words that no phrase of these categories covers. */
export function findUnknown(chart: Chart, categories: ReadonlySet<string>): Place[] {
  const unknown: Place[] = [];
  for (let at = 0; ; ) {
    const start = endOfWords(chart, categories, at);
    if (start >= chart.text.length) return unknown;
    at = Math.max(start + 1, endAt(word, chart.text, start));
    unknown.push({ start, end: at });
  }
}
