import type { Language } from "@agent-backends/language";
import { analyze } from "@agent-backends/language";
import table from "./related-words.json" with { type: "json" };

/** Languages of the table's columns. */
const languages: readonly Language[] = ["en", "de", "fr", "es", "it", "pt", "nl", "ru", "ar"];

/** By language and stem: the numbers of the table lines that contain the word. */
let lines: ReadonlyMap<Language, ReadonlyMap<string, readonly number[]>> | undefined;

function read(): ReadonlyMap<Language, ReadonlyMap<string, readonly number[]>> {
  const found = languages.map((language) => [language, new Map<string, number[]>()] as const);
  for (const [number, line] of table.entries()) {
    for (const [column, words] of line.split(" | ").entries()) {
      const [language = "en", stems = new Map<string, number[]>()] = found[column] ?? [];
      for (const stem of new Set(analyze(words, [language]))) stems.set(stem, [...(stems.get(stem) ?? []), number]);
    }
  }
  return new Map(found);
}

/** The topics of a stem in any of the languages: words of one topic may replace each other. */
export function findTopics(stem: string, among: readonly Language[]): number[] {
  lines ??= read();
  return among.flatMap((language) => lines?.get(language)?.get(stem) ?? []);
}
