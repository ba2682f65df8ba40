// The repetitions are bounded so that the search for the end of a word stays linear.
const wordAndSpace = /\s{0,256}\S{1,256}\s{1,256}/y;
/** Maximum length of a run without white space. Longer runs are split. Ordinary links stay whole. */
const maxPendingCharacters = 256;
/** The same limit for scripts without spaces, so that readers of Chinese don't wait for a whole paragraph. */
const maxUnspacedCharacters = 32;
const upToUnspaced = /^\S{0,31}[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3\u3001\u3002\uff0c\u0e00-\u0eff]/;

/**
 * Regroups text into chunks of at most one word with its surrounding white space. The concatenated chunks are exactly the text, wherever
 * its parts were split.
 */
export class WordChunks {
  #pending = "";

  /** Yields the chunks that this part completes. Read all of them before the next push. */
  *push(part: string): Generator<string> {
    const text = this.#pending + part;
    let from = 0;
    for (let chunk = findNextChunk(text, from); chunk !== undefined; chunk = findNextChunk(text, from)) {
      yield chunk;
      from += chunk.length;
    }
    this.#pending = text.slice(from);
  }

  /** Yields the rest at the end of the text. */
  *end(): Generator<string> {
    if (this.#pending) yield this.#pending;
    this.#pending = "";
  }
}

/** Yields the chunks of a complete text. */
export function* splitIntoWords(text: string): Generator<string> {
  const words = new WordChunks();
  yield* words.push(text);
  yield* words.end();
}

function findNextChunk(text: string, from: number): string | undefined {
  wordAndSpace.lastIndex = from;
  const word = wordAndSpace.exec(text)?.[0];
  if (word !== undefined) return word;
  const left = text.length - from;
  if (left > maxPendingCharacters) return firstPart(text, from);
  if (left <= maxUnspacedCharacters || text.includes("](", from)) return undefined;
  return upToUnspaced.exec(text.slice(from))?.[0];
}

// Never splits a surrogate pair.
function firstPart(text: string, from: number): string {
  const end = from + maxPendingCharacters;
  const last = text.charCodeAt(end - 1);
  return text.slice(from, last >= 0xd800 && last < 0xdc00 ? end - 1 : end);
}
