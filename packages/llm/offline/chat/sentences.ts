import { segmenter } from "../text/segmenter.ts";

/** A sentence and the heading that it stands under ("" without one). */
export interface HeadedSentence {
  sentence: string;
  heading: string;
}

/**
 * Cuts a text, plain or Markdown, into sentences of any script. Lines end sentences unless the next one goes on in lower
 * case; list marks are dropped, headings go with the sentences below them, and marks like `[3]` of the text itself are removed, since
 * they would read as sources.
 */
export function splitSentences(text: string): HeadedSentence[] {
  const sentences: HeadedSentence[] = [];
  let heading = "";
  for (const block of text.split(/\n(?!\p{Ll})/u)) {
    const headline = /^\s*#{1,6}\s+(.*)$/.exec(block);
    if (headline) {
      heading = headline[1] ?? "";
      continue;
    }
    const plain = block
      .replace(/^\s*(?:[-*+•>]|\d{1,3}[.)])\s+/, "")
      .replace(/\s*\[\d{1,3}\]/g, "")
      .replace(/\s+/g, " ");
    for (const { segment } of segmenter("sentence").segment(plain)) {
      const sentence = segment.trim();
      if (/[\p{L}\p{N}]/u.test(sentence)) sentences.push({ sentence, heading });
    }
  }
  return sentences;
}
