import de from "../languages/de.json" with { type: "json" };
import en from "../languages/en.json" with { type: "json" };
import es from "../languages/es.json" with { type: "json" };
import fr from "../languages/fr.json" with { type: "json" };
import hi from "../languages/hi.json" with { type: "json" };
import it from "../languages/it.json" with { type: "json" };
import ja from "../languages/ja.json" with { type: "json" };
import ko from "../languages/ko.json" with { type: "json" };
import nl from "../languages/nl.json" with { type: "json" };
import pl from "../languages/pl.json" with { type: "json" };
import pt from "../languages/pt.json" with { type: "json" };
import ru from "../languages/ru.json" with { type: "json" };
import tr from "../languages/tr.json" with { type: "json" };
import zh from "../languages/zh.json" with { type: "json" };
import { Concept } from "./concept.ts";

type Language = { words: Record<keyof typeof en.words, string> };

const languages: Language[] = [de, en, es, fr, hi, it, ja, ko, nl, pl, pt, ru, tr, zh];

/** What people say in many ways and languages, by the name that the language files give it. */
export const meanings = new Map(
  Object.keys(en.words).map((name) => [
    name,
    new Concept(languages.map(({ words }) => words[name as keyof typeof en.words]).join("|")),
  ]),
);
