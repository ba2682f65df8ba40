/** Letters that are often written for one another, because hamza and dots are left out. */
const variants = ["[اأإآ]", "[ةه]", "[ىي]"];
/** Vowel signs and the character that stretches words. Both may follow any letter. */
const marks = String.raw`[\u064b-\u0652\u0640]*`;
/** A conjunction, a preposition and the article, which are joined to the next word. */
const conjunction = String.raw`(?<!\p{L})[وف]?`;
const particles = `${conjunction}(?:[بك]?ال|لل|[بكل])?`;

/** Builds the RegExp source for an Arabic word in any spelling. The particles before it may include prepositions and the article. */
export function spellArabic(word: string, hasParticles: boolean): string {
  const letters = word.replaceAll(/(\[[^\]]*\])|[ء-ي]/g, (letter, some?: string) => {
    if (some !== undefined) return some;
    return `${variants.find((letters) => letters.includes(letter)) ?? letter}${marks}`;
  });
  const [, body, end] = /^(.*?)(-?)$/.exec(letters) ?? [];
  return `-${hasParticles ? particles : conjunction}(?:${body})${end}`;
}
