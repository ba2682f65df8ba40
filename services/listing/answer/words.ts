// Bounded, so that looking for the end of a word costs no more than the word.
const wordAndSpace = /\s{0,32}\S{1,32}\s{1,32}/y;
/** Longer runs without white space, as in Chinese or in an address, are given in parts. */
const maxPending = 32;

/**
 * Regroups text so that each chunk is at most one word with the white space around it. The chunks together are
 * exactly the text, wherever its parts were cut.
 */
export async function* wordChunks(parts: AsyncIterable<string> | Iterable<string>): AsyncGenerator<string> {
  let pending = "";
  for await (const part of parts) {
    pending += part;
    let from = 0;
    for (;;) {
      wordAndSpace.lastIndex = from;
      const word = wordAndSpace.exec(pending)?.[0];
      if (word === undefined && pending.length - from <= maxPending) break;
      const chunk = word ?? firstPart(pending, from);
      yield chunk;
      from += chunk.length;
    }
    pending = pending.slice(from);
  }
  if (pending) yield pending;
}

// A part never ends between the two halves of a character.
function firstPart(text: string, from: number): string {
  const end = from + maxPending;
  const last = text.charCodeAt(end - 1);
  return text.slice(from, last >= 0xd800 && last < 0xdc00 ? end - 1 : end);
}
