import { segmenter } from "./segmenter.ts";

/** From here on a run without spaces is taken for a text of a script that has none. */
const LONG_RUN_CHARACTERS = 24;

/** Cuts a text into word-sized pieces that together are exactly the text; white space goes with the word before it. */
export function splitDeltas(text: string): string[] {
  const runs = text.match(/\s*\S+\s*/g) ?? (text ? [text] : []);
  return runs.flatMap((run) => {
    if (run.length < LONG_RUN_CHARACTERS) return [run];
    return Array.from(segmenter("word").segment(run), ({ segment }) => segment);
  });
}
