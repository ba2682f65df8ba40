import type { Language } from "@agent-backends/language";
import { analyze } from "@agent-backends/language";
import table from "./related-words.json" with { type: "json" };

/** Languages of the table's columns. */
const languages: readonly Language[] = ["en", "de", "fr", "es", "it", "pt", "nl", "ru", "ar"];

/** By language and stem: the numbers of the table lines that contain the word. A language is read when it is first needed. */
const lines = new Map<Language, ReadonlyMap<string, readonly number[]>>();

function readColumn(language: Language): ReadonlyMap<string, readonly number[]> {
  const stems = new Map<string, number[]>();
  const column = languages.indexOf(language);
  if (column < 0) return stems;
  for (const [number, line] of table.entries()) {
    for (const word of line.split(" | ")[column]?.match(/\S+/g) ?? []) {
      // The other terms are parts of a compound: "Zeit" is no word for "Elternzeit".
      const [stem = word] = analyze(word, [language]);
      stems.set(stem, [...(stems.get(stem) ?? []), number]);
    }
  }
  return stems;
}

/** The topics of a stem in any of the languages: words of one topic may replace each other. */
export function findTopics(stem: string, among: readonly Language[]): number[] {
  return among.flatMap((language) => {
    const stems = lines.get(language) ?? readColumn(language);
    lines.set(language, stems);
    return stems.get(stem) ?? [];
  });
}
