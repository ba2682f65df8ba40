/**
 * Strips English inflections and the most common derivational endings, so that "treats", "treated", "treatment" and "treating" match. Words
 * in other scripts or of fewer than four letters stay unchanged. The stemmer is deliberately light: merging different words costs more than
 * missing a match.
 */
export function stem(word: string): string {
  if (!/^[a-z]{4,}$/.test(word)) return word;
  let root = plural(word);
  root = inflection(root);
  for (const [ending, replacement] of derivations) {
    if (root.endsWith(ending) && root.length - ending.length >= 3) {
      root = root.slice(0, -ending.length) + replacement;
      break;
    }
  }
  return root.length > 4 && root.endsWith("e") ? root.slice(0, -1) : root.replace(/(?<=[a-z]{2})y$/, "i");
}

const derivations: [string, string][] = [
  ["ational", "ate"],
  ["ization", "ize"],
  ["fulness", "ful"],
  ["iveness", "ive"],
  ["ousness", "ous"],
  ["ication", "ic"],
  ["ibility", "ible"],
  ["ability", "able"],
  ["ation", "ate"],
  ["ement", ""],
  ["ments", ""],
  ["ment", ""],
  ["ness", ""],
  ["tion", "t"],
  ["sion", "s"],
  ["ical", "ic"],
  ["ally", "al"],
  ["ency", "ent"],
  ["ancy", "ant"],
  ["ence", "ent"],
  ["ance", "ant"],
  ["ator", "ate"],
  ["ly", ""],
];

function plural(word: string): string {
  if (word.endsWith("sses")) return word.slice(0, -2);
  if (word.endsWith("ies") && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(?:ch|sh|x|z)es$/.test(word)) return word.slice(0, -2);
  return /[^siu]s$/.test(word) ? word.slice(0, -1) : word;
}

function inflection(word: string): string {
  const root = word.replace(/(?:ied)$/, "y").replace(/(?:ing|ed)$/, "");
  if (root === word || root.length < 3 || !/[aeiouy]/.test(root)) return word;
  if (/([bdfgmnprt])\1$/.test(root)) return root.slice(0, -1);
  return root;
}
