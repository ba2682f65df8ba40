/** Texts of one request, at most. */
export const MAX_BATCH_TEXTS = 96;
/** Characters of one request, at most, unless a single text is longer: providers bound the tokens of a request, too. */
const MAX_BATCH_CHARACTERS = 200_000;

/** Cuts a list of texts into batches for one request each, in order. */
export function batchesOf(texts: readonly string[]): string[][] {
  const batches: string[][] = [];
  let characters = 0;
  for (const text of texts) {
    const batch = batches.at(-1);
    characters += text.length;
    if (batch && batch.length < MAX_BATCH_TEXTS && characters <= MAX_BATCH_CHARACTERS) batch.push(text);
    else {
      batches.push([text]);
      characters = text.length;
    }
  }
  return batches;
}
