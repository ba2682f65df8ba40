import type { Language } from "@agent-backends/language";
import { stripAccents } from "../answer-types.ts";

/** Whether a text has the name of a person or a company, or an address of e-mail. */
export function namesSomeone(text: string, question: { text: string; language: Language | undefined }): boolean {
  if (/\S@\S+\.\p{L}/u.test(text)) return true;
  return question.language === "de" ? hasGermanName(text) : hasName(text, question.text);
}

/** Whether a German text has a name. German capitalises every noun, so that only two words in a row or a title or verb before one show it. */
const hasGermanName = (text: string): boolean =>
  /(?<!\p{L})(?:(?:Herrn?|Frau|Dr\.|Prof\.|ist|war|sind|waren|durch|von)\s+\p{Lu}\p{L}+|\p{Lu}[\p{L}.-]*\s+(?:(?:von|van|de)\s+)?\p{Lu}\p{L}+|(?:vom|durch|ist|war) (?:das|die|der|den|dem|einer?|eine[mn])?\s*\p{Lu}\p{L}+)/u.test(
    text,
  );

/** Whether a text names someone by a role, or has a capitalised word that neither begins a sentence nor occurs in the question. Scripts without case pass. */
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
