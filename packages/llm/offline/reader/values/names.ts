import type { Language } from "@agent-backends/language";
import { buildWordPattern, lazy, noLetter } from "../../languages/index.ts";
import { stripAccents } from "../answer-types.ts";

/** For example "Only administrators can …", which says who by a role. */
const limitsToRole = lazy(() => `^\\W*${buildWordPattern("words.only", noLetter)}\\s+\\p{L}`);

/** Whether a text has the name of a person or company, or an e-mail address. */
export function namesSomeone(text: string, question: { text: string; language: Language | undefined }): boolean {
  if (/\S@\S+\.\p{L}/u.test(text) || limitsToRole().test(text)) return true;
  return question.language === "de" ? hasGermanName(text) : hasName(text, question.text);
}

/** Words with which a German sentence may begin before a noun. */
const beforeNoun = String.raw`(?:D(?:er|ie|as|en|em|es)|(?:Ein|Kein|Mein|Unser|Ihr|Dies|Jed|All)\p{L}{0,2}|Am|Auf|Beim?|Für|Im|In|Mit|Zu[mr]?)\s`;
const germanName = new RegExp(
  [
    String.raw`(?<!\p{L})(?:(?:Herrn?|Frau|Dr\.|Prof\.|ist|war|sind|waren|durch|von)\s+\p{Lu}\p{L}+`,
    String.raw`(?!${beforeNoun})\p{Lu}[\p{L}.-]*\s+(?:(?:von|van|de)\s+)?\p{Lu}\p{L}+`,
    String.raw`(?:vom|durch|ist|war) (?:das|die|der|den|dem|einer?|eine[mn])?\s*\p{Lu}\p{L}+)`,
  ].join("|"),
  "u",
);

/**
 * Whether a German text has a name. German capitalises every noun, so only two such words in a row, or a title or verb before one, show a
 * name.
 */
const hasGermanName = (text: string): boolean => germanName.test(text);

/**
 * Whether a text names someone by a role, or has a capitalised word that neither starts a sentence nor occurs in the question. Text in
 * scripts without case always passes.
 */
function hasName(text: string, question: string): boolean {
  if (/\bby (?:the|an?|our|your)\s/i.test(text)) return true;
  if (!/\p{Lu}/u.test(question) && !/\p{Lu}/u.test(text)) return true;
  const known = stripAccents(question);
  for (const { 0: word, index } of text.matchAll(/\p{Lu}[\p{L}'’.-]*/gu)) {
    const startsSentence = /(?:^|[.!?:]\s+|[|"“„]\s*)$/u.test(text.slice(0, index));
    const next = text.slice(index + word.length);
    const isFirstOfTwo = /^\s+\p{Lu}/u.test(next);
    if ((!startsSentence || isFirstOfTwo) && !known.includes(stripAccents(word))) return true;
  }
  return false;
}
