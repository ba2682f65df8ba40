import { pattern } from "../text/pattern.ts";

/** Month names in all supported languages: long, short and inflected. Folded, without a trailing period. */
export const monthNumbers = numbersByName({
  1: "january jan enero ene janvier janv januar janeiro gennaio gen januari styczen sty stycznia styczniu ocak oca январь янв января январе जनवरी जन॰",
  2: "february feb febrero fevrier fevr februar fevereiro fev febbraio februari luty lut lutego lutym subat sub февраль февр февраля феврале फ़रवरी फ़र॰",
  3: "march mar marzo mars marz marco maart mrt marzec marca marcu mart март марта марте मार्च",
  4: "april apr abril abr avril avr aprile kwiecien kwi kwietnia kwietniu nisan nis апрель апр апреля апреле अप्रैल",
  5: "may mayo mai maio maggio mag mei maj maja maju mayis май мая мае",
  6: "june jun junio juin juni junho giugno giu czerwiec cze czerwca czerwcu haziran haz июнь июня июне जून",
  7: "july jul julio juillet juil juli julho luglio lug lipiec lip lipca lipcu temmuz tem июль июля июле जुलाई जुल॰",
  8: "august aug agosto ago aout augustus sierpien sie sierpnia sierpniu agustos agu август авг августа августе अगस्त अग॰",
  9: "september sep septiembre sept septembre setembro set settembre wrzesien wrz wrzesnia wrzesniu eylul eyl сентябрь сент сентября сентябре सितंबर सित॰",
  10: "october oct octubre octobre oktober okt outubro out ottobre ott pazdziernik paz pazdziernika pazdzierniku ekim eki октябрь окт октября октябре अक्टूबर अक्टू॰",
  11: "november nov noviembre novembre novembro listopad lis listopada listopadzie kasim kas ноябрь нояб ноября ноябре नवंबर नव॰",
  12: "december dec diciembre dic decembre dezember dez dezembro dicembre grudzien gru grudnia grudniu aralik ara декабрь дек декабря декабре दिसंबर दिस॰",
});

/** Weekday names, folded; 1 is Monday. Short forms only in English; in other languages they are often ordinary words. */
export const weekdayNumbers = numbersByName({
  1: "monday lunes lundi montag segunda-feira segunda lunedi maandag poniedzialek poniedzialku pazartesi pazartesiden понедельник понедельника सोमवार mon",
  2: "tuesday martes mardi dienstag terca-feira terca martedi dinsdag wtorek wtorku sali salidan вторник вторника मंगलवार tue tues",
  3: "wednesday miercoles mercredi mittwoch quarta-feira quarta mercoledi woensdag sroda srody carsamba carsambadan среда среды बुधवार wed weds среду srode",
  4: "thursday jueves jeudi donnerstag quinta-feira quinta giovedi donderdag czwartek czwartku persembe persembeden четверг четверга गुरुवार thu thur thurs",
  5: "friday viernes vendredi freitag sexta-feira sexta venerdi vrijdag piatek piatku cuma cumadan пятница пятницы शुक्रवार fri пятницу",
  6: "saturday sabado samedi samstag sabato zaterdag sobota soboty cumartesi cumartesiden суббота субботы शनिवार sat субботу sobote",
  7: "sunday domingo dimanche sonntag domenica zondag niedziela niedzieli pazar pazardan воскресенье воскресенья रविवार sun niedziele",
});
const eastern = ["月火水木金土日", "一二三四五六日", "월화수목금토일"] as const;
for (let day = 1; day <= 7; day++) {
  const [japanese, chinese, korean] = eastern.map((characters) => characters.charAt(day - 1));
  for (const name of [
    `${japanese}曜日`,
    `${japanese}曜`,
    `周${chinese}`,
    `星期${chinese}`,
    `週${chinese}`,
    `${korean}요일`,
  ]) {
    weekdayNumbers.set(name, day);
  }
}

function numbersByName(names: Readonly<Record<number, string>>): Map<string, number> {
  return new Map(
    Object.entries(names).flatMap(([number, list]) => list.split(" ").map((name) => [name, Number(number)])),
  );
}

const firstWords = new Map<Map<string, number>, Set<string>>();

/** Whether a word of the text begins one of the names: a cheap test before an expensive pattern. */
export function mayName(numbers: Map<string, number>, words: readonly string[]): boolean {
  let known = firstWords.get(numbers);
  if (known === undefined) {
    known = new Set([...numbers.keys()].map((name) => name.split(/[- ]/)[0] ?? name));
    firstWords.set(numbers, known);
  }
  return words.some((word) => known.has(word));
}

/** The names as a non-capturing regular expression group, longest first. */
export function alternatives(numbers: Map<string, number>): string {
  const sorted = [...numbers.keys()].sort((one, other) => other.length - one.length);
  return `(?:${sorted.map((name) => name.replaceAll("-", "[- ]")).join("|")})`;
}

const word = pattern(String.raw`[\p{L}\p{M}]+`, "g");

/** The words of the text, without digits and punctuation. */
export function splitWords(text: string): string[] {
  return text.match(word) ?? [];
}
