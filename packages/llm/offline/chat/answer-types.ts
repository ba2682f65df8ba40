/** What kind of value a question asks for. */
export type AnswerType = "person" | "time" | "number" | "money";

/** Question words by type. The first that fits counts. Written without accents, in lower case. */
const questionPatterns: [AnswerType, RegExp][] = [
  [
    "money",
    /\b(?:how much .*(?:cost|price|pay|charge|fee)|cost(?:s)?|price|wie ?viel .*(?:kostet|kosten|zahlt)|was kostet|kostet|combien .*cout\w*|prix|cuanto cuesta\w*|precio|quanto costa\w*|prezzo|quanto custa\w*|preco|hoeveel kost\w*|prijs|сколько стоит|цена)\b|いくら|値段|多少钱|价格|كم (?:سعر|يكلف|تكلف|ثمن)/u,
  ],
  [
    "number",
    /\b(?:(?:percentage|proportion|share|percent)|how (?:quickly|fast|soon|many|much|long|old|tall|high|large|big|far|deep|heavy|wide|often)|wie ?viele?|wie (?:lange|alt|hoch|gross|weit|tief|schwer|breit|oft)|combien|quel age|quelle (?:proportion|part|somme|quantite|taille|distance|duree)|quel pourcentage|proportion|pourcentage|porcentaje|percentuale|porcentagem|prozent\\w*|anteil|cuant[oa]s?|que edad|quant[oaie]s?|a che quota|hoeveel|hoe (?:lang|oud|hoog|groot|ver|zwaar)|сколько)\b|何[人個年日回歳台枚本度階時間分%]|いくつ|どのくらい|多少|几[个天年人次]|多[长大高久远快]|割合|몇|얼마|\bكم\b/u,
  ],
  [
    "time",
    /\b(?:when|what (?:year|date|day|time|month)|which (?:year|date|day|month)|since when|wann|welche[sm]? (?:jahr|datum|tag|monat)|quand|quelle (?:date|annee|heure)|quel (?:jour|mois)|a quelle heure|cuando|que (?:ano|fecha|dia|hora)|quando|che (?:anno|data|giorno|ora)|em que (?:ano|data|dia)|wanneer|welk jaar|когда|каком году)\b|いつ|何[年月日時曜]|什么时候|何时|哪[一]?[年天日]|متى/u,
  ],
  [
    "person",
    /\b(?:who|whom|whose|wer|wem|wen|wessen|qui|quien|quienes|chi|quem|wie (?:is|was|heeft|zijn|waren)|кто|кому|кем)\b|誰|だれ|谁|\bمن (?:هو|هي|قام|كتب|أسس|الذي)/u,
  ],
];

const month =
  /\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?\b|\b(?:januar|februar|märz|mai|juni|juli|oktober|dezember|janvier|février|mars|avril|juin|juillet|août|septembre|octobre|novembre|décembre|enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre|gennaio|febbraio|aprile|maggio|giugno|luglio|settembre|ottobre|dicembre|janeiro|fevereiro|março|maio|junho|julho|setembro|outubro|dezembro|maart|mei|augustus)\b/iu;
const timeWord =
  /\b(?:mon|tues|wednes|thurs|fri|satur|sun)days?\b|\b(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag)s?\b|\b(?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|lunes|martes|miércoles|jueves|viernes|sábado|domingo)\b|\b(?:before|after|until|once|as soon as|within|during|daily|weekly|monthly|yearly|annually|noon|midnight|century|o'clock|nach|vor|bis|sobald|nachdem|bevor|während|innerhalb|täglich|jährlich|uhr|avant|après|jusqu|dès|antes|después|hasta|prima|dopo|voor|nadat|zodra|tot)\b|[年月日時时点曜]|\p{sc=Cyrillic}*(?:час|год|лет|дня|дней|до|после)\p{sc=Cyrillic}*|بعد|قبل|حتى|الساعة|يوم|عام|سنة|في ال/iu;
const numberWord =
  /\b(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|sixty|hundred|thousand|million|billion|half|once|twice|none|ein(?:e[rnms]?)?|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|zwanzig|dreißig|hundert|tausend|millionen|deux|trois|quatre|cinq|sept|huit|neuf|dix|cent|mille|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|veinte|cien|mil|due|tre|quattro|cinque|sei|sette|otto|nove|dieci|cento|dois|duas|três|quatro|oito|dez|twee|drie|vijf|zes|zeven|acht|negen|tien|honderd|duizend|два|две|три|четыре|пять|шесть|семь|восемь|девять|десять|сто|тысяч\p{L}*|واحد|اثنان|ثلاثة|أربعة|خمسة|عشرة|مئة|ألف)\b|[一二三四五六七八九十百千万]/iu;
const currency =
  /[€$£¥₹₽]|\b(?:eur|usd|chf|gbp|jpy|euros?|dollars?|francs?|franken|pounds?|cents?|yen|rubles?|kr|reais|pesos?)\b|[円元圓]|руб|ريال|درهم|دينار|دولار|يورو|free of charge|kostenlos|gratuit|gratis/iu;
const priceWord = /\b(?:costs?|price|fee|charge|kosten|preis|gebühr|prix|tarif|precio|prezzo|preço|prijs)\b/iu;
/** A section's number, or the marker of a list item, is no value. */
const numbering = /^\s*(?:\d{1,3}\.)+\d*\s+|^\s*\d{1,3}[.)]\s+/;

const plain = (text: string): string =>
  text
    .normalize("NFD")
    .replace(/[\u0300-\u036f]/g, "")
    .normalize("NFC")
    .toLowerCase();

/** The type of value that a question asks for, if it shows. */
export function findAnswerType(question: string): AnswerType | undefined {
  const text = plain(question);
  return questionPatterns.find(([, pattern]) => pattern.test(text))?.[0];
}

/** Whether a text has a value of a type, in digits or letters, that the question doesn't have itself. */
export function hasAnswerOfType(text: string, type: AnswerType, question: string): boolean {
  const body = text.replace(numbering, "");
  const numbers = body.match(/\p{Nd}+(?:[.,:/-]\p{Nd}+)*/gu) ?? [];
  const hasNewNumber = numbers.some((number) => !question.includes(number));
  switch (type) {
    case "number":
      return hasNewNumber || numberWord.test(body);
    case "money":
      return currency.test(body) || (hasNewNumber && priceWord.test(body));
    case "time":
      return hasNewNumber || month.test(body) || timeWord.test(body) || numberWord.test(body);
    case "person":
      return hasName(body, question);
  }
}

/** Whether a text has a capitalised word that neither begins a sentence nor occurs in the question. Scripts without case pass. */
function hasName(text: string, question: string): boolean {
  if (!/\p{Lu}/u.test(question) && !/\p{Lu}/u.test(text)) return true;
  const known = plain(question);
  for (const { 0: word, index } of text.matchAll(/\p{Lu}[\p{L}'’.-]*/gu)) {
    const startsSentence = /(?:^|[.!?:]\s+|[|"“„]\s*)$/u.test(text.slice(0, index));
    const next = text.slice(index + word.length);
    const isFirstOfTwo = /^\s+\p{Lu}/u.test(next);
    if ((!startsSentence || isFirstOfTwo) && !known.includes(plain(word))) return true;
  }
  return false;
}
