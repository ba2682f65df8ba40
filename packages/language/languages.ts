import { stemmer as danish } from "@orama/stemmers/danish";
import { stemmer as dutch } from "@orama/stemmers/dutch";
import { stemmer as finnish } from "@orama/stemmers/finnish";
import { stemmer as french } from "@orama/stemmers/french";
import { stemmer as german } from "@orama/stemmers/german";
import { stemmer as greek } from "@orama/stemmers/greek";
import { stemmer as hungarian } from "@orama/stemmers/hungarian";
import { stemmer as indonesian } from "@orama/stemmers/indonesian";
import { stemmer as italian } from "@orama/stemmers/italian";
import { stemmer as norwegian } from "@orama/stemmers/norwegian";
import { stemmer as portuguese } from "@orama/stemmers/portuguese";
import { stemmer as romanian } from "@orama/stemmers/romanian";
import { stemmer as russian } from "@orama/stemmers/russian";
import { stemmer as spanish } from "@orama/stemmers/spanish";
import { stemmer as swedish } from "@orama/stemmers/swedish";
import { stemmer as turkish } from "@orama/stemmers/turkish";
import { stemmer as ukrainian } from "@orama/stemmers/ukrainian";
import { stem as english } from "porter2";
import { stemArabic } from "./arabic.ts";
import { stopWords } from "./stop-words.ts";

/** A language with stop words and a stemmer (ISO 639-1). */
export type StemmedLanguage = keyof typeof stopWords;
/** Chinese, Japanese, Korean and Thai need neither: their words don't change, or are indexed by pairs of characters. */
export type Language = StemmedLanguage | "zh" | "ja" | "ko" | "th";

export const stemmers: Record<StemmedLanguage, (word: string) => string> = {
  ar: stemArabic,
  da: danish,
  de: german,
  el: greek,
  en: english,
  es: spanish,
  fi: finnish,
  fr: french,
  hu: hungarian,
  id: indonesian,
  it: italian,
  nl: dutch,
  no: norwegian,
  pl: stemPolish,
  pt: portuguese,
  ro: romanian,
  ru: russian,
  sv: swedish,
  tr: turkish,
  uk: ukrainian,
};

export const stemmedLanguages = Object.keys(stopWords) as StemmedLanguage[];

export const isStemmed = (language: Language): language is StemmedLanguage => language in stopWords;

const scripts: [RegExp, [StemmedLanguage, ...StemmedLanguage[]]][] = [
  [/[\u0600-\u06ff]/, ["ar"]],
  [/[\u0400-\u04ff]/, ["ru", "uk"]],
  [/[\u0370-\u03ff\u1f00-\u1fff]/, ["el"]],
];
const nonLatin = scripts.flatMap(([, languages]) => languages);

/** The given languages that use a word's script, or the most frequent language of the script if there are none. */
export function chooseByScript(word: string, languages: readonly StemmedLanguage[]): readonly StemmedLanguage[] {
  const ofScript = scripts.find(([script]) => script.test(word))?.[1];
  const chosen = languages.filter((language) =>
    ofScript ? ofScript.includes(language) : !nonLatin.includes(language),
  );
  return chosen.length > 0 ? chosen : [ofScript?.[0] ?? "en"];
}

const polishEnding = /(?<=\p{L}{3})(?:iego|iemu|ami|ach|owi|ego|emu|ymi|imi|iej|ów|om|em|ie|ej|ym|im|[aąeęiouy])$/u;
/** Strips the most common endings of Polish nouns, adjectives and verbs. There is no Snowball stemmer for Polish. */
function stemPolish(word: string): string {
  return word.replace(polishEnding, "");
}
