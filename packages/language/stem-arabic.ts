const prefix = /^(?:وال|بال|كال|فال|لل|ال|و(?=.{3}))/u;
const suffix = /(?:ات|ان|ون|ين|ها|هم|يه|ه|ي)$/u;
/** Letters that stay: shorter stems would merge different words. */
const minLetters = 3;

/**
 * Strips the article, conjunctions and the commonest endings of a normalised Arabic word (light10 of Larkey, Ballesteros and Connell
 * 2002). Stemming to the root merges too many words, and the Snowball stemmer leaves `وال` and cuts `ضمان` to `ضم`.
 */
export function stemArabic(word: string): string {
  let stem = stripPrefix(word);
  for (let shorter = stripSuffix(stem); shorter !== stem; shorter = stripSuffix(stem)) stem = shorter;
  return stem;
}

function stripPrefix(word: string): string {
  const shorter = word.replace(prefix, "");
  return shorter.length >= minLetters ? shorter : word;
}

function stripSuffix(word: string): string {
  const shorter = word.replace(suffix, "");
  return shorter.length >= minLetters ? shorter : word;
}
