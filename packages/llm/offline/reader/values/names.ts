import type { Language } from "@agent-backends/language";
import { stripAccents } from "../answer-types.ts";

/** Whether a text has the name of a person or a company, or an address of e-mail. */
export function namesSomeone(text: string, question: { text: string; language: Language | undefined }): boolean {
  if (/\S@\S+\.\p{L}/u.test(text)) return true;
  return question.language === "de" ? hasGermanName(text) : hasName(text, question.text);
}

/** What a German sentence begins with in front of a noun. */
const beforeNoun = String.raw`(?:D(?:er|ie|as|en|em|es)|(?:Ein|Kein|Mein|Unser|Ihr|Dies|Jed|All)\p{L}{0,2}|Am|Auf|Beim?|Für|Im|In|Mit|Zu[mr]?)\s`;
const germanName = new RegExp(
  [
    String.raw`(?<!\p{L})(?:(?:Herrn?|Frau|Dr\.|Prof\.|ist|war|sind|waren|durch|von)\s+\p{Lu}\p{L}+`,
    String.raw`(?!${beforeNoun})\p{Lu}[\p{L}.-]*\s+(?:(?:von|van|de)\s+)?\p{Lu}\p{L}+`,
    String.raw`(?:vom|durch|ist|war) (?:das|die|der|den|dem|einer?|eine[mn])?\s*\p{Lu}\p{L}+)`,
  ].join("|"),
  "u",
);

/** Whether a German text has a name. German capitalises every noun, so that only two words in a row or a title or verb before one show it. */
const hasGermanName = (text: string): boolean => germanName.test(text);

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
