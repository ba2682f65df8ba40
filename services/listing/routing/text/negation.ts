import { celebrating, confetti } from "../vocabulary/celebrating.ts";
import { pattern } from "../vocabulary/pattern.ts";

const clause =
  "(?:(?!\\b(?:but|just|instead|only|rather(?! than)|sino|mais|sondern|sino|ma|maar|ale|но|а)\\b)[^,.;:!?。，、！？\\n\u0001])";
const refused = `(?:${confetti.source}|${celebrating.source}|\\b(?:animations?|search\\w*|look\\w*|find\\w*|top|best|rank\\w*|leader\\w*|trending|show\\w*|list\\w*|display|give|tips?|advice|winners?|results?|products?|launches|today'?s?|yesterday'?s?|last week'?s?|this week'?s?|call|tools?|busques|muestres|cherche\\w*|montre\\w*|such\\w*|zeig\\w*|procur\\w*|mostr\\w*|cerc\\w*|zoek\\w*|szukaj|pokazuj|ищи|показывай)\\b)`;
const refusals = [
  // "don't search", "do not show top products", "forget the confetti", "no tips"
  `(?<!\\bwhy )\\b(?:don'?t|do not|never|no need (?:to|for)|not(?! sure| only| just)|without|stop|skip|forget(?: about)?|enough|quit|cancel|hide|remove|disable|dismiss|turn off|avoid|instead of|rather than|please no|no more|no(?! ?\\.? ?\\d))(?! you)(?: \\p{L}[\\p{L}'-]*){0,4}? ${refused}${clause}*`,
  // "search no more", "confetti? no"
  `${refused} (?:no more|not needed|isn'?t needed|not necessary|not now|nein danke|no thanks)\\b${clause}*`,
  `(?<![\\p{L}])(?:no|ne|n'|pas (?:de|d')|plus de|sans|sin|kein\\p{L}*|nicht|ohne|nao|sem|non|niente|senza|geen|niet|zonder|nie|bez|не|без|никак\\p{L}+|хватит)(?: \\p{L}[\\p{L}'-]*){0,3}? ${refused}${clause}*`,
  `(?:kein\\p{L}*|zeig|such|show|muestra|montre)(?: \\p{L}+){1,3} (?:nicht|not)\\b${clause}*`,
];
const refusal = new RegExp(refusals.join("|"), "gu");

const mayRefuse = pattern(String.raw`
  n't|\bdont\b|\b(?:no|not|never|without|stop|skip|forget|enough|quit|cancel|hide|remove|disable|dismiss|turn
  |avoid|instead|rather|needed|necessary|ne|pas|plus|sans|sin|kein\w*|nicht|nein|ohne|nao|sem|non|niente|senza
  |geen|niet|zonder|nie|bez)\b|n'|(?<!\p{L})(?:не|без|никак|хватит)
`);
// Where the verb comes last, a clause that ends in a refusal is refused as a whole.
const refusedClause =
  /しないで|いらない|いりません|不要|じゃない|不想|不用|别(?!的)|別(?!の)|하지 ?마|말고|싫|필요 ?없|मत(?!\p{L})|नहीं|istemiyorum|isteme|gosterme|\barama\b/u;
const clauses = /[^,.;:!?。，、！？\n]+/gu;

/** The same text with every refused wish ("no confetti", "don't search") replaced by `filler`, one for each character. */
export function withoutRefusals(text: string, filler: string): string {
  const kept = mayRefuse.test(text) ? text.replaceAll(refusal, (match) => filler.repeat(match.length)) : text;
  if (!refusedClause.test(kept)) return kept;
  return kept.replaceAll(clauses, (match) => (refusedClause.test(match) ? filler.repeat(match.length) : match));
}
