/** Words with the frequencies of a natural language: the first ones are most frequent (Zipf's law). */
const syllables = "ba co di fu ga he ji ko lu me na po qui ra so ti vu wa ye zo".split(" ");
const vocabulary = Array.from({ length: 4_000 }, (_, index) => {
  const parts = [index % 20, Math.floor(index / 20) % 20, Math.floor(index / 400) % 20];
  return parts.map((part) => syllables[part] ?? "").join("");
});

/** Returns random numbers from 0 (inclusive) to 1 (exclusive). The same seed gives the same numbers (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let value = Math.imul(state ^ (state >>> 15), state | 1);
    value ^= value + Math.imul(value ^ (value >>> 7), value | 61);
    return ((value ^ (value >>> 14)) >>> 0) / 4_294_967_296;
  };
}

export const pickWords = (random: () => number, count: number): string[] =>
  Array.from({ length: count }, () => vocabulary[Math.floor(vocabulary.length ** random()) - 1] ?? "");

/** A paragraph about a topic, some 1,300 characters long. It becomes one chunk, because two paragraphs are too long for one. */
export function makeParagraph(random: () => number): string {
  const sentences = Array.from({ length: 14 }, () => {
    const sentence = pickWords(random, 14).join(" ");
    return `${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`;
  });
  return `${pickTopic(random)} ${sentences.join(" ")}`;
}

export function makeQuestion(random: () => number): string {
  return `What about ${pickTopic(random)}, ${pickWords(random, 6).join(" ")}?`;
}

const pickTopic = (random: () => number) => `t${Math.floor(random() * 500)}s${Math.floor(random() * 20)}`;

/** Paragraphs that are unique to the seed, separated by blank lines. */
export function makeText(seed: number, size: { paragraphs: number } | { bytes: number }): string {
  const random = createRandom(seed);
  const parts: string[] = [];
  for (let bytes = 0; "bytes" in size ? bytes < size.bytes : parts.length < size.paragraphs; ) {
    const paragraph = makeParagraph(random);
    bytes += paragraph.length + 2;
    parts.push(paragraph);
  }
  return parts.join("\n\n");
}
