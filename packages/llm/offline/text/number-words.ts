import type { Language } from "@agent-backends/language";

/**
 * Numbers in letters as regular expressions, by language, because a word means something else in another one: Italian "due" is two.
 * One is missing where it is also an article.
 */
const numberWords: Partial<Record<Language, string>> = {
  en: "two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty|hundreds?|thousands?|(?:m|b)illions?|dozens?|half|twice",
  de: "zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|(?:drei|vier|fünf|sech|sieb|acht|neun)zehn|\\p{L}*(?:zwanzig|dreißig|dreissig|vierzig|fünfzig|sechzig|siebzig|achtzig|neunzig)|(?:ein|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn)?(?:hundert|tausend)\\p{L}*|million(?:en)?|milliarden?|dutzend|anderthalb|eineinhalb|zweieinhalb|halbe[rsn]?|zu (?:zweit|dritt|viert|fünft|sechst)",
  fr: "deux|trois|quatre|cinq|six|sept|huit|neuf|dix|onze|douze|treize|quatorze|quinze|seize|vingts?|trente|quarante|cinquante|soixante|septante|huitante|nonante|cents?|mille|millions?|milliards?|dizaines?|douzaines?|quinzaines?|demie?",
  es: "dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|once|doce|trece|catorce|quince|dieci\\p{L}+|veinte|veinti\\p{L}+|treinta|cuarenta|cincuenta|sesenta|setenta|ochenta|noventa|cien|cientos|\\p{L}+cient[oa]s|quinient[oa]s|mil|mill[oó]n|millones|docenas?|medi[oa]",
  it: "due|tre|quattro|cinque|sei|sette|otto|nove|dieci|undici|dodici|tredici|quattordici|quindici|sedici|dicias?sette|diciotto|diciannove|(?:vent|trent|quarant|cinquant|sessant|settant|ottant|novant)[ia]?(?:uno?|due|tr[eé]|quattro|cinque|sei|sette|otto|nove)?|(?:due|tre|quattro|cinque|sei|sette|otto|nove)?cento|\\p{L}*mil(?:le|a)|milion[ei]|miliard[oi]|dozzin[ae]|mezz[oa]",
  pt: "dois|duas|três|quatro|cinco|seis|sete|oito|nove|dez|onze|doze|treze|quatorze|catorze|quinze|dez[ae]sseis|dez[ae]ssete|dezoito|dez[ae]nove|vinte|trinta|quarenta|cinquenta|sessenta|setenta|oitenta|noventa|cem|cento|\\p{L}+centos|duzent[oa]s|trezent[oa]s|mil|milhão|milhões|dúzias?|mei[oa]",
  nl: "twee|drie|vier|vijf|zes|zeven|acht|negen|tien|elf|twaalf|(?:der|veer|vijf|zes|zeven|acht|negen)tien|\\p{L}*(?:twintig|dertig|veertig|vijftig|zestig|zeventig|tachtig|negentig)|\\p{L}*(?:honderd|duizend)|miljoen|miljard|dozijn|anderhalf|anderhalve|halve?",
  sv: "två|tre|fyra|fem|sex|sju|åtta|nio|tio|elva|tolv|tretton|fjorton|femton|sexton|sjutton|arton|nitton|tjugo\\p{L}*|(?:tret|fyr|fem|sex|sjut|åt|nit)tio\\p{L}*|hundra|tusen|miljon(?:er)?|dussin|halv[at]?",
  ru: "дв[ае]|двух|тр[иеё]х?|четыр[её]х?|четыре|пят[ьи]|шест[ьи]|сем[ьи]|восемь|восьми|девят[ьи]|десят[ьи]|\\p{L}+надцат[ьи]|двадцат[ьи]|тридцат[ьи]|сорока?|\\p{L}+десят|\\p{L}+десяти|девяносто|сто|двести|триста|\\p{L}+сот|тысяч\\p{L}*|миллион\\p{L}*|половин\\p{L}*|полтора|полторы",
  ar: "واحد|اثنان|ثلاثة|أربعة|خمسة|ستة|سبعة|عشرة|مئة|ألف|التاسعة|الثامنة|العاشرة",
};

const patterns = new Map(
  Object.entries(numberWords).map(([language, words]) => [
    language,
    new RegExp(`(?<!\\p{L})(?:${words})(?!\\p{L})`, "iu"),
  ]),
);

/** Whether a text has a number in letters of a language. */
export const hasNumberWord = (text: string, language: Language | undefined): boolean =>
  patterns.get(language ?? "")?.test(text) === true;
