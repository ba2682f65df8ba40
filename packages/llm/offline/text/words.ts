import { segmenter } from "@agent-backends/language";

/** A longer run without spaces is taken for text in an unspaced script. */
const maxRunCharacters = 23;

/** Splits a text into word-sized deltas whose concatenation is the text. White space goes with the word before it. */
export function splitDeltas(text: string): string[] {
  const runs = text.match(/\s*\S+\s*/g) ?? (text ? [text] : []);
  return runs.flatMap((run) => {
    if (run.length <= maxRunCharacters) return [run];
    return Array.from(segmenter("word").segment(run), ({ segment }) => segment);
  });
}

/** Estimates one token per four characters, OpenAI's rule of thumb for English. */
export function countTokens(text: string): number {
  return Math.ceil(text.length / 4);
}
