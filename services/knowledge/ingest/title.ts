import { knowledgeLimits } from "@agent-backends/contract";
import { normaliseText } from "./normalise.ts";
import type { DocumentAbout } from "./prepared-document.ts";

const { titleCharacters } = knowledgeLimits;

/** Maximum length of a title made of a text's first words. */
const maxFirstWordsCharacters = 80;

/**
 * The title of a document, which is the first of these that exists: the one sent with it, its own, `fallback` (a file's name, a page's
 * address), its first words.
 */
export function toTitle(
  document: Pick<DocumentAbout, "title" | "beginning">,
  names: { given?: string | undefined; fallback?: string | undefined },
): string {
  const candidates = [names.given, document.title, names.fallback].map((name) => toOneLine(name ?? ""));
  return candidates.find((name) => name !== "") ?? toFirstWords(document.beginning);
}

function toFirstWords(text: string): string {
  const line = toOneLine(text.slice(0, 4 * maxFirstWordsCharacters), 4 * maxFirstWordsCharacters);
  if (line.length <= maxFirstWordsCharacters) return line;
  const cut = line.slice(0, maxFirstWordsCharacters);
  const lastSpace = cut.lastIndexOf(" ");
  return `${normaliseText(lastSpace > 0 ? cut.slice(0, lastSpace) : cut)}…`;
}

/** A title without line breaks and control characters, cut to its maximum length. */
export function toOneLine(text: string, maxCharacters: number = titleCharacters): string {
  return normaliseText(
    text
      .slice(0, 4 * maxCharacters)
      .replace(/[\s\p{Cc}]+/gu, " ")
      .trim()
      .slice(0, maxCharacters),
  );
}
