import knownMistakes from "../tables/typing-mistakes.json" with { type: "json" };

/** Key words in which typing mistakes are corrected. */
const keyWords =
  "product products vote upvote upvoting voting launcher launch launches launched leaderboard ranking rankings ranked trending popular upvoted upvotes voted votes winner winners yesterday yesterday's today today's week week's month search searching find looking recommend confetti celebrate celebration hooray highest tools startups software alternative alternatives monday tuesday wednesday thursday friday saturday sunday january february march april august september october november december timezone front page congratulations party please woche gestern semaine semana settimana vandaag gisteren wczoraj dzisiaj".split(
    " ",
  );

/** Correct words that look like a mistyped key word. */
export const rightWords = new Set(
  "projet projets projeto projetos progetto progetti proyecto proyectos recrutement produit produits produkt produkte producten producto productos produto produtos prodotto prodotti votos voto votar votado votada there form bets pot otp sit lunch lunches mouth moth produce produced producer producers sundae poplar starch research launcher launchers launching rankin voter voters noted rated finds finding finder fined toads tolls tooling vote weak weeks months days toady searched searches searcher researching ranker winery winged looming booking cooking hooking locking trends trader trading tending sending paged pages fronts parts pasty partly patty august aprils mayor marches match watch sunny funny fried friend friends hearty parity product's product hunt's alternate alternating alternately startup start-ups startups' lookin products' tool hiking liking lacking looping wiener alternativas alternativen alternatieven".split(
    " ",
  ),
);

const shortMistakes: Record<string, string> = { ...knownMistakes };

// Swapped letters in words too short for the general rule.
for (const word of "top best list show find last week this five four nine three seven eight today search month give votes most from".split(
  " ",
)) {
  for (let index = 0; index + 1 < word.length; index++) {
    const slip = word.slice(0, index) + word.charAt(index + 1) + word.charAt(index) + word.slice(index + 2);
    if (!rightWords.has(slip)) shortMistakes[slip] ??= word;
  }
}

/** Finds the word nearest to a mistyped one. Indexed by first letter. */
export class Dictionary {
  readonly #byInitial = new Map<string, { word: string; heard: string }[]>();

  constructor(words: Iterable<string>) {
    for (const word of words) {
      if (word.length < 5) continue;
      const initial = word.charAt(0);
      this.#byInitial.set(initial, [...(this.#byInitial.get(initial) ?? []), { word, heard: toPhonetic(word) }]);
    }
  }

  /**
   * The word that `word` was meant to be, when it is one slip away from one in the dictionary (two for long words). Slips in
   * the first letter are rare, and words that differ there are mostly other words.
   */
  nearest(word: string): string | undefined {
    const allowed = word.length >= 9 ? 2 : 1;
    let best: string | undefined;
    let bestDistance = allowed + 1;
    const heard = toPhonetic(word);
    for (const { word: candidate, heard: candidateHeard } of this.#byInitial.get(word.charAt(0)) ?? []) {
      // Doubled letters and "y" for "i" are common mistakes: "conffeti", "confety".
      if (candidateHeard === heard) return candidate;
      if (Math.abs(candidate.length - word.length) > allowed) continue;
      // Another ending is another form of the word, not a mistake: "helped" and "helper".
      if (candidate.length === word.length && candidate.slice(0, -1) === word.slice(0, -1)) continue;
      if (/^(?:s|r|d|es|er|ed)$/.test(findSuffix(word, candidate))) continue;
      const distance = slips(word, candidate, bestDistance - 1);
      if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
    }
    return best;
  }
}

/** The suffix that one word has more than the other. "" if neither is a prefix of the other. */
function findSuffix(one: string, other: string): string {
  const [short, long] = one.length < other.length ? [one, other] : [other, one];
  return long.startsWith(short) ? long.slice(short.length) : "";
}

function toPhonetic(word: string): string {
  return word.replaceAll(/([a-z])\1+/g, "$1").replace(/y$/, "i");
}

const keyWordSet = new Set(keyWords);
const keyWordDictionary = new Dictionary(keyWords);

const maxCachedWords = 4_096;
const kept = new Map<string, string>();

/** Corrects a folded word. */
export function correctWord(word: string): string {
  const known = kept.get(word);
  if (known !== undefined) return known;
  const isRight = keyWordSet.has(word.replace(/'s$/, ""));
  const corrected = shortMistake(word) ?? (isRight ? word : (nearestKeyWord(word) ?? word));
  if (kept.size >= maxCachedWords) kept.clear();
  kept.set(word, corrected);
  return corrected;
}

/** Looks up "ystrday", also as "ystrday's" and "ystrdays". */
function shortMistake(word: string): string | undefined {
  const stem = /^(\w+?)('?s)$/.exec(word);
  const ofStem = stem === null ? undefined : shortMistakes[stem[1] ?? ""];
  return shortMistakes[word] ?? (ofStem === undefined ? undefined : `${ofStem}${stem?.[2]}`);
}

function nearestKeyWord(word: string): string | undefined {
  if (word.length < 5 || word.length > 18 || keyWordSet.has(word) || rightWords.has(word)) return undefined;
  return keyWordDictionary.nearest(word);
}

/** The optimal string alignment distance, or `limit + 1` when it is greater than `limit`. */
function slips(one: string, other: string, limit: number): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i++) {
    const row = [i];
    let least = i;
    for (let j = 1; j <= other.length; j++) {
      const same = one.charAt(i - 1) === other.charAt(j - 1);
      let value = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (same ? 0 : 1));
      if (i > 1 && j > 1 && one.charAt(i - 1) === other.charAt(j - 2) && one.charAt(i - 2) === other.charAt(j - 1)) {
        value = Math.min(value, (beforeLast[j - 2] ?? 0) + 1);
      }
      row.push(value);
      least = Math.min(least, value);
    }
    if (least > limit) return limit + 1;
    [beforeLast, last] = [last, row];
  }
  return last[other.length] ?? limit + 1;
}
