import { monthNumbers, weekdayNumbers } from "../languages/index.ts";
import { fold } from "../text/fold.ts";
import { englishTrimmer } from "./query-phrases.ts";

const capitalWord = /(?<![\p{L}\p{N}])\p{Lu}[\p{L}\p{N}'’.+-]*[\p{L}\p{N}+](?![\p{L}\p{N}])/gu;
const noName =
  /^(?:i['’]?\w*|we|you|he|she|they|it['’]?s?|my|our|your|not|no|yes|but|if|ph|product|hunt|ai|alternatives?|someone|somebody|everyone|thank\w*|hi|hello)$/;

/** The first run of capitalised words that may be a product's name. Expects the text as written, not folded. */
export function findName(raw: string): string | undefined {
  let name: { start: number; end: number } | undefined;
  for (const { index, 0: word } of raw.matchAll(capitalWord)) {
    const end = index + word.length;
    if (name !== undefined) {
      if (raw.slice(name.end, index) !== " ") break;
      name.end = end;
    } else if (mayName(fold(word))) name = { start: index, end };
  }
  return name && raw.slice(name.start, name.end);
}

function mayName(word: string): boolean {
  return (
    !noName.test(word) &&
    !monthNumbers.has(word) &&
    !weekdayNumbers.has(word) &&
    !englishTrimmer.before.test(word) &&
    word.length > 1
  );
}
