import type { Language } from "@agent-backends/language";
import { analyze } from "@agent-backends/language";
import { languages } from "../languages/index.ts";

let stems: ReadonlyMap<string, ReadonlySet<string>> | undefined;

/** Whether a word says little about the subject of a question. */
export function isLight(word: string, language: Language | undefined): boolean {
  stems ??= new Map(
    languages.flatMap(([name, { light }]) => (light ? [[name, new Set(analyze(light, [name as Language]))]] : [])),
  );
  const known = stems.get(language ?? "");
  const terms = language ? analyze(word, [language]) : [];
  return known !== undefined && terms.length > 0 && terms.every((term) => known.has(term));
}
