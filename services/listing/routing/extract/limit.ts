import { anyProduct, productKind } from "../vocabulary/products.ts";
import { ranking } from "../vocabulary/ranking.ts";
import { numberFrom, numberSource } from "./numbers.ts";

const number = `(${numberSource})`;
const start = "(?<![\\p{L}\\p{N}#.:/-])";
const unit =
  "(?! ?(?:%|(?:days?|weeks?|months?|years?|hours?|hrs?|minutes?|mins?|seconds?|h|bit|kb|mb|gb|px|am|pm|x|d|upvotes?|votes?|stars?|dias?|semanas?|meses|jours?|semaines?|mois|tagen?|wochen?|monaten?|giorni|settimane|mesi|dagen|weken|maanden|dni|tygodni\\p{L}*|gun|hafta|ay)(?![\\p{L}])|дн|недел|месяц|दिन|हफ्|महीन|日|週|天|周|个月|年|月|일(?!\\p{L})|주(?!\\p{L})|개월|[./:]\\d|-\\d|(?:st|nd|rd|th)\\b))";

const patterns = [
  // "limit 7", "max=5", "top 10", "the first five", "up to 8"
  new RegExp(
    `(?<![\\p{L}\\p{N}])(?:limit(?:ed)?(?: to)?|max(?:imum)?(?: of)?|count|n|num|first|up to|at most|no more than|only|just|size|top|best|toplist|ranking|leaderboard|los|las|primeros|primeras|premiers|premieres|ersten|primi|prime|primeiros|primeiras|eerste|pierwsz\\p{L}+|ilk|en iyi|первы\\p{L}+|топ-?|टॉप|शीर्ष|पहले|limite|hochstens|mejores|melhores|migliori|meilleurs|besten|najlepszych)(?:-(?=\\d)| ?[=:]? ?)${number}${unit}(?! ?(?:of|from) \\d)`,
    "u",
  ),
  /(?<![\p{L}\p{N}])(?:top|best)(\d{1,6})(?![\d\p{L}])/u,
  new RegExp(
    `(?:前|トップ|上位|상위|톱|탑|ベスト|最初の|最高の|最新の|排名前)\\s?${number}(?! ?(?:周|週|天|个月|日|月|年))`,
    "u",
  ),
  new RegExp(`${number} ?(?:个|個|款|件|つ|選|选|개|가지|名|位(?!置)|大(?=\\p{L})|条|項|项)`, "u"),
  // "rank 1 and 2", "places 1 to 3"
  new RegExp(
    `\\b(?:rank|ranks|place|places|spots?|positions?) \\d{1,3} ?(?:and|to|-|through|&) ?(\\d{1,3})${unit}`,
    "u",
  ),
  // "five best", "25 posts", "3 most upvoted", "10 results"
  new RegExp(
    `${start}${number}${unit} (?:(?:\\p{L}[\\p{L}\\p{M}'-]*) ){0,2}?(?:${ranking.source}|${anyProduct.source}|${productKind.source})`,
    "u",
  ),
  // "give me 3", "list 5 from yesterday"
  new RegExp(
    `\\b(?:give|gimme|show|list|get|send|fetch|pull|find|search|return|print|name|want|need|see|just|dame|muestra(?:me)?|donne(?:-moi)?|montre(?:-moi)?|zeig(?:e)?|gib|mostra(?:mi)?|me mostra|dammi|toon|geef|pokaz|goster)(?: (?:me|us|mir|uns|only|just|the|up|out|nur|solo|so|mij|bana|les|los|die|i|os|at most|up to))* ${number}${unit}(?= |$|[,.!?])`,
    "u",
  ),
  new RegExp(`^${number}$`, "u"),
];

/** How many items are asked for, and where a text says so. */
export interface LimitPhrase {
  start: number;
  end: number;
  limit: number;
}

/** How many items a folded text asks for, as it says it: "top ten" is 10 and "top 500" is 500. */
export function findLimit(text: string): LimitPhrase | undefined {
  for (const pattern of patterns) {
    const match = pattern.exec(text);
    if (match?.[1] === undefined) continue;
    const limit = numberFrom(match[1]);
    if (!Number.isSafeInteger(limit) || isYear(limit)) continue;
    const begin = match.index + match[0].indexOf(match[1]);
    return { limit, start: begin, end: begin + match[1].length };
  }
  return undefined;
}

function isYear(value: number): boolean {
  return value >= 2005 && value <= 2100;
}
