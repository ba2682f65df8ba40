import { normaliseText } from "./normalise.ts";
import type { PreparedDocument } from "./prepare.ts";

/** Longest title, in UTF-16 code units. */
const maxTitleCharacters = 200;

/** Length to which a title made of a text's first words is cut. */
const maxFirstWordsCharacters = 80;

/**
 * What a document is called: the title given with it, else its own, else `fallback` (a file's name, a page's address), else
 * its first words.
 */
export function titleOf(
  document: Pick<PreparedDocument, "title" | "beginning">,
  names: { given?: string | undefined; fallback?: string | undefined },
): string {
  const candidates = [names.given, document.title, names.fallback].map((name) =>
    oneLine(name ?? "", maxTitleCharacters),
  );
  return candidates.find((name) => name !== "") ?? firstWords(document.beginning);
}

function firstWords(text: string): string {
  const line = oneLine(text.slice(0, 4 * maxFirstWordsCharacters), 4 * maxFirstWordsCharacters);
  if (line.length <= maxFirstWordsCharacters) return line;
  const cut = line.slice(0, maxFirstWordsCharacters);
  const lastSpace = cut.lastIndexOf(" ");
  return `${normaliseText(lastSpace > 0 ? cut.slice(0, lastSpace) : cut)}…`;
}

function oneLine(text: string, maxCharacters: number): string {
  return normaliseText(
    text
      .slice(0, 4 * maxCharacters)
      .replace(/[\s\p{Cc}]+/gu, " ")
      .trim()
      .slice(0, maxCharacters),
  );
}
