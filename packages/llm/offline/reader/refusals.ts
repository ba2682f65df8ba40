import type { Language } from "@agent-backends/language";
import { detectLanguage } from "@agent-backends/language";
import { english, languages } from "../languages/index.ts";
import type { Chunk } from "./chunks.ts";

const refusals = new Map(languages.map(([language, { refusal }]) => [language, refusal]));

/** Minimum length of a text whose language can be detected reliably. */
const minKnownLength = 100;

/**
 * Says that the documents don't answer the question. Uses the language of the question, else of the last earlier question with a detectable
 * language ("ok" has none), else of the chunks, else English. `[0]` cites no chunk.
 */
export function refuse(question: string, chunks: readonly Chunk[], earlier: readonly string[] = []): string {
  const found = chunks.map(({ content }) => content).join("\n");
  const language = findLanguage([question, ...earlier.toReversed(), found]);
  const { plain, foreign } = refusals.get(language ?? "en") ?? english.refusal;
  const isForeign = language !== undefined && isOtherLanguage(language, chunks);
  return `[0] ${plain}${isForeign ? ` ${foreign}` : ""}`;
}

/** Says that there are no documents. Chooses the language like `refuse`. */
export function refuseWithoutDocuments(question: string, earlier: readonly string[]): string {
  const { empty } = refusals.get(findLanguage([question, ...earlier.toReversed()]) ?? "en") ?? english.refusal;
  return `[0] ${empty}`;
}

/** Letters of Persian and Urdu that no Arabic keyboard has. */
const persianLetters = /[کیٹڈڑںےہھ]/;

/** The language of the first text whose language can be detected. */
const findLanguage = (texts: readonly string[]): Language | undefined =>
  texts
    .filter((text) => !persianLetters.test(text))
    .map((text) => detectLanguage(text))
    .find((language) => language !== undefined);

/** A line of values. Its names and abbreviations belong to no language. */
const valuesLine = /^.*(?:[,;\t]\S[^,;\t]*[,;\t]\S|\|).*$/gm;

/** Whether all chunks are in other languages. The language of short texts and of tables is unknown. */
function isOtherLanguage(language: Language, chunks: readonly Chunk[]): boolean {
  const texts = chunks.map(({ content }) => content.replace(valuesLine, "").trim()).filter((text) => text !== "");
  const found = [...texts, texts.join("\n")].map((text) => detectLanguage(text));
  return texts.join().length >= minKnownLength && found.every((other) => other !== undefined && other !== language);
}
