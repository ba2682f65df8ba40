import { limits } from "@agent-backends/contract";
import { ProblemError } from "./problem.ts";

const characters = { quote: 0x22, comma: 0x2c, bracket: 0x5b, backslash: 0x5c, brace: 0x7b };

/**
 * Refuses JSON of more values than any request needs, before it is parsed: a list of millions of empty objects is a small
 * body, and what becomes of it fills gigabytes and keeps all others waiting. Takes time linear in the text's length.
 *
 * @throws ProblemError `too-large`
 */
export function refuseManyValues(json: string): void {
  // Each value has at least a character and what parts it from the next one.
  if (json.length < 2 * limits.jsonValues) return;
  let values = 0;
  for (let at = 0; at < json.length; at++) {
    const code = json.charCodeAt(at);
    if (code === characters.quote) at = endOfString(json, at);
    else if (code === characters.comma || code === characters.bracket || code === characters.brace) values++;
    if (values > limits.jsonValues) {
      throw new ProblemError("too-large", `The body holds more than ${limits.jsonValues} values; send less at once.`);
    }
  }
}

/** The offset of the quote that ends a string, or the text's length. */
function endOfString(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end >= 0; end = json.indexOf('"', end + 1)) {
    let backslashes = 0;
    while (json.charCodeAt(end - 1 - backslashes) === characters.backslash) backslashes++;
    if (backslashes % 2 === 0) return end;
  }
  return json.length;
}
