const arabicWord = /^[\u0621-\u064a]+$/;
const prefix = /^(?:وال|بال|كال|فال|لل|ال|و(?=.{3}))/u;
const suffix = /(?:ات|ان|ون|ين|ها|هم|يه|ه|ي)$/u;
/** Minimum number of letters in a stem: shorter stems would merge different words. */
const minLetters = 3;

/**
 * Strips the article, conjunctions and the most common endings of a normalised Arabic word (light10 of Larkey, Ballesteros and Connell
 * 2002). Stemming to the root merges too many words, and the Snowball stemmer leaves `وال` and cuts `ضمان` to `ضم`.
 */
export function stemArabic(word: string): string {
  let stem = strip(word, prefix);
  for (let shorter = strip(stem, suffix); shorter !== stem; shorter = strip(stem, suffix)) stem = shorter;
  return stem;
}

function strip(word: string, affix: RegExp): string {
  const shorter = word.replace(affix, "");
  return shorter.length >= minLetters ? shorter : word;
}

/** A preposition or conjunction of one letter. Many words begin with these letters, so that the stemmer leaves them. */
const particle = /^(?:[بل](?=.{3})|[فكس](?=.{4}))/u;
export const withoutArabicParticle = (word: string): string => word.replace(particle, "");

/** `زوجتي` is `زوجة` with a pronoun. */
const feminineWithPronoun = /ت(?:ي|ك|ه|ها|هم|كم|نا)$/u;
const pronoun = /(?:ك|كم|نا|هما|هن)$/u;

/** Further stems that a normalised word may have, if it begins with a joined particle, or ends with a pronoun or as an adverb. */
export function getArabicStems(word: string): string[] {
  if (!arabicWord.test(word)) return [];
  const forms = [word, withoutArabicParticle(word)].flatMap((one) => [
    one,
    one.replace(feminineWithPronoun, "ه"),
    one.replace(pronoun, ""),
    one.replace(/ا$/u, ""),
  ]);
  return [...new Set(forms.filter((one) => one.length >= minLetters).map(stemArabic))];
}

/**
 * The consonants of an Arabic stem that broken plurals, verbs and verbal nouns share: `رتب` of both `راتب` and `رواتب`, `خطف` of both `خطف`
 * and `اختطاف`. Undefined if fewer than three are left.
 */
export function findArabicRoot(stem: string): string | undefined {
  if (!arabicWord.test(stem)) return undefined;
  const [strong, weak] = [/[اويء]/gu, /[اء]/gu].map((vowels) => toRoot(stem.replaceAll(vowels, "")));
  return [strong, weak].find((root) => root !== undefined && root.length === minLetters);
}

function toRoot(letters: string): string {
  let root = letters.replace(/([وي])\1/gu, "$1");
  for (const affix of [/^(?:[يتنم]?ست)/u, /^[متني]/u, /(?<=^.)ت/u, /[تن]$/u])
    if (root.length > minLetters) root = root.replace(affix, "");
  return root;
}
