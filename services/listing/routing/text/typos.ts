import { isNear } from "@agent-backends/language/slips";
import table from "../tables/typing-mistakes.json" with { type: "json" };

const keyWords = new Set(table.keyWords.split(" "));
/** Correct words that look like a mistyped key word. */
const rightWords: ReadonlySet<string> = new Set(table.rightWords.split(" "));

/** Shorter words resemble each other too much. */
const minLength = 5;

/**
 * The first key word that differs from `word` by one typing error. Errors in the first letter are rare, and words that differ there are
 * usually other words.
 */
const findNearest = (word: string): string | undefined =>
  [...keyWords].find((one) => {
    const isCandidate = one.length >= minLength && one[0] === word[0];
    return isCandidate && isNear(word, one, { slips: 1 }) && !isOtherForm(word, one);
  });

/** Whether a word is another form of the candidate rather than a typing error: "helped" and "helper". */
function isOtherForm(word: string, candidate: string): boolean {
  const [short, long] = word.length < candidate.length ? [word, candidate] : [candidate, word];
  const isSameLength = short.length === long.length && short.slice(0, -1) === long.slice(0, -1);
  return isSameLength || (long.startsWith(short) && /^(?:s|r|d|es|er|ed)$/.test(long.slice(short.length)));
}

const mistakes = new Map<string, string>(Object.entries(table.mistakes));
for (const word of table.swappable.split(" ")) {
  for (let index = 0; index + 1 < word.length; index++) {
    const slip = word.slice(0, index) + word.charAt(index + 1) + word.charAt(index) + word.slice(index + 2);
    if (!rightWords.has(slip) && !mistakes.has(slip)) mistakes.set(slip, word);
  }
}

const maxCachedWords = 4_096;
const cached = new Map<string, string>();

/** Corrects typing errors in a folded word. */
export function correctWord(word: string): string {
  const known = cached.get(word);
  if (known !== undefined) return known;
  const [, stem = word, ending = ""] = /^(\w+?)('?s)$/.exec(word) ?? [];
  const isRight =
    word.length < minLength || rightWords.has(word) || keyWords.has(word) || keyWords.has(word.replace(/'s$/, ""));
  const listed = mistakes.get(word) ?? (mistakes.has(stem) ? `${mistakes.get(stem)}${ending}` : undefined);
  const corrected = listed ?? (isRight ? word : (findNearest(word) ?? word));
  if (cached.size >= maxCachedWords) cached.clear();
  cached.set(word, corrected);
  return corrected;
}
