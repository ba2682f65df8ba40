import { segmenter } from "@agent-backends/language";

/** A sentence and the heading above it ("" if there is none). */
export interface HeadedSentence {
  sentence: string;
  heading: string;
}

/**
 * Splits plain text or Markdown in any script into sentences. A line break ends a sentence unless the next line starts in
 * lower case. List markers are dropped, and so are marks such as `[3]`, which would read as citations.
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
