import { fold, splitWords } from "@agent-backends/language";

/**
 * Words by language. `generic` ones are verbs and nouns that documents often leave out or say in other words. `light` ones are
 * prepositions and adverbs, which don't show whether a statement is about the question. Both count in questions of any language.
 * `numbers` only count in their own: Italian "due" is two.
 */
const words: Record<string, { generic?: string; light?: string; numbers?: string }> = {
  en: {
    generic: `time hours opening number use used uses make made work works happen happens call called name named exist mean means need
      take takes go find given belong live lives become person people thing things way kind type list example
      examples document documents file text according total`,
    light: `maximum minimum maximal minimal gives given fast long deep tall against since between according before
      after among behind than each typically usually normally still already least most often quickly`,
    numbers: `two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen
      eighteen nineteen twenty thirty forty fifty sixty hundred thousand million billion half twice`,
  },
  de: {
    generic: `uhrzeit öffnungszeiten nummer beispiel heißt heissen nennt genannt verwenden verwendet benutzt bedeutet sollte liegt lautet
      wohnt sorgt dokument`,
    light: `wann bis schon seit laut noch meistens mindestens wenigstens höchstens normalerweise besonders heute gut
      lange groß hoch weit`,
    numbers: "zwei drei vier fünf sechs sieben acht neun zehn elf zwölf zwanzig dreißig hundert tausend millionen",
  },
  fr: {
    generic: "heure horaires numéro exemple appelle appeler nommer utilise utiliser signifie sert trouve",
    light: "avait avoir fois moins chaque selon environ",
    numbers: "deux trois quatre cinq six sept huit dix onze douze vingt trente cent mille millions",
  },
  es: {
    generic: "hora horario horarios número ejemplo llama llaman significa utiliza sirve encuentra",
    light: "entre según normalmente debajo frente todavía ahora",
    numbers: "dos tres cuatro cinco seis siete ocho nueve diez doce veinte treinta cien mil millones",
  },
  it: {
    generic: "orari orario numero esempio chiama usa serve trova",
    light: "ogni circa secondo aveva",
    numbers: "due tre quattro cinque sei sette otto nove dieci dodici venti trenta cento mille",
  },
  pt: {
    generic: "número exemplo chama usado",
    numbers: "dois duas três quatro cinco seis sete oito nove dez doze vinte trinta cem mil",
  },
  nl: {
    generic: "openingstijden tijd nummer voorbeeld zorgt heet betekent gebruikt",
    numbers: "twee drie vier vijf zes zeven acht negen tien twaalf twintig dertig honderd duizend",
  },
  ru: {
    generic: "номер называется означает",
    numbers: "два две три четыре пять шесть семь восемь девять десять сто тысяча тысяч",
  },
  ar: {
    light: "عدد كل أي قد ما هي هو",
    numbers: "واحد اثنان ثلاثة أربعة خمسة ستة سبعة عشرة مئة ألف التاسعة الثامنة العاشرة",
  },
  pl: {
    light: "każdy kiedy ile jaki czy jak ma przy przed",
  },
  cs: {
    light: "kolik jaký kde kdy který",
  },
};

const collect = (kind: "generic" | "light"): ReadonlySet<string> =>
  new Set(Object.values(words).flatMap((lists) => splitWords(lists[kind] ?? "").map(fold)));

export const genericWords = collect("generic");
export const lightWords = collect("light");

/** Finds a number word, by language. */
export const numberWords: ReadonlyMap<string, RegExp> = new Map(
  Object.entries(words).flatMap(([language, { numbers }]) =>
    numbers ? [[language, new RegExp(`(?<!\\p{L})(?:${numbers.split(/\s+/).join("|")})(?!\\p{L})`, "iu")]] : [],
  ),
);
