import { concepts, wordPatterns } from "../languages/index.ts";
import { fitsAt, pattern } from "./pattern.ts";

const { celebrating, confetti } = concepts;

const mayRefuse = pattern(String.raw`
  n't|\bdont\b|\b(?:no|not|never|without|stop|skip|forget|enough|quit|cancel|hide|remove|disable|dismiss|turn
  |avoid|instead|rather|off|hate|dislike|despise|loathe|stand|sick|tired|bored|fan|odio|deteste|hasse|mag|odeio|haat|nee|nem|needed|necessary|ne|pas|plus|sans|sin|kein\w*|nicht|nein|ohne|nao|sem|non|niente|senza
  |geen|niet|zonder|nie|bez)\b|n'|(?<!\p{L})(?:не|без|никак|хватит)
`);

/** Introduces the refusal of what follows: "don't search", "do not show top products", "forget the confetti", "no tips". */
const refusing = pattern(
  String.raw`
  (?<!\bwhy )\b(?:(?:(?:don'?t|do not)(?! mind)|never)(?! (?:hate|dislike|despise|loathe))|no need (?:to|for)|not(?! sure| only| just)|without|stop|skip
  |forget(?: about)?|didn'?t ask(?: you)? for|never asked(?: you)? for|enough|quit|cancel|hide|remove|disable|dismiss|turn off|avoid|instead of|rather than
  |please no|no more|no(?! ?\.? ?\d)|(?<!n'?t |not |never )(?:hate|dislike|despise|loathe)|can'?t stand|(?:sick|tired|bored|not a fan) of
  |odio|deteste|hasse|odeio|haat)(?! you)(?= )
  |(?<!\p{L})(?:${wordPatterns.refusing})(?= )
`,
  "g",
);
const maxWordsBetween = 4;
const wordBetween = pattern(String.raw` \p{L}[\p{L}'-]*`, "y");

/** Requests that can be refused, in addition to confetti and celebrations. */
const refusable = pattern(
  String.raw`
  \b(?:animations?|search\w*|look\w*|find\w*|top|best|rank\w*|leader\w*|trending|show\w*|list\w*|display|give|tell|talk|mention|include
  |tips?|advice|winners?|results?|products?|launches|today'?s?|yesterday'?s?|last week'?s?|this week'?s?|call
  |tools?|busques|muestres|cherche\w*|montre\w*|such\w*|zeig\w*|procur\w*|mostr\w*|cerc\w*|zoek\w*|szukaj
  |pokazuj)\b|(?:ищи|показывай)(?!\p{L})
`,
  "y",
);

/** Refusals that follow the request: "search no more", "confetti? no thanks". */
const refusedAfter = pattern(
  String.raw`
  [ ,:;?!.-]{1,3}(?:no|non|nein|nee|nao|nie|нет|off|aus)(?: thanks?| thank you| gracias| merci| danke| grazie| obrigad[oa]| bedankt| please| bitte| por favor)?(?=[\s.!]*$)
  |[ ](?:no more|not needed|isn'?t needed|not necessary|not now|nein danke|no thanks)\b
  |(?: \p{L}+){0,2} (?:nicht|not)\b(?! only| just)
`,
  "y",
);

/** The rest of a clause, up to a word that introduces the alternative: "not yesterday but today". */
const restOfClause = pattern(
  String.raw`
  (?:(?!(?<!\p{L})(?:but|just|instead|only|rather(?! than)|and (?:just |only |please )?(?:give|show|list|tell|find|search)|sino|mais|sondern|ma|maar|ale|но|а)(?!\p{L}))
  (?! - )[^,.;:!?。，、！？\n])*
`,
  "y",
);

// In languages with the verb at the end, a refusal applies to its whole clause.
const refusedClause = pattern(wordPatterns.refusingClause);
const clauses = /(?:(?!말고)[^,.;:!?。，、！？\n])+(?:말고)?/g;
const wordStarts = /\b[a-z]/g;

/** Replaces each character of a refused request ("no confetti", "don't search") with `filler`. */
export function withoutRefusals(text: string, filler: string): string {
  const kept = mayRefuse.test(text) ? blankRefusals(text, filler) : text;
  if (!refusedClause.test(kept)) return kept;
  return kept.replaceAll(clauses, (match) => (refusedClause.test(match) ? filler.repeat(match.length) : match));
}

function blankRefusals(text: string, filler: string): string {
  let kept = text;
  const drop = (start: number, end: number): void => {
    kept = kept.slice(0, start) + filler.repeat(end - start) + kept.slice(end);
  };
  for (const { index, 0: opening } of text.matchAll(refusing)) {
    let at = index + opening.length;
    for (let words = 0; words <= maxWordsBetween; words++) {
      const wish = text.charAt(at) === " " ? endOfWish(text, at + 1) : undefined;
      if (wish !== undefined) {
        drop(index, fitsAt(restOfClause, text, wish) ?? wish);
        break;
      }
      const next = fitsAt(wordBetween, text, at);
      if (next === undefined) break;
      at = next;
    }
  }
  for (const { index } of text.matchAll(wordStarts)) {
    const wish = endOfWish(text, index);
    const refused = wish === undefined ? undefined : fitsAt(refusedAfter, text, wish);
    if (refused !== undefined) drop(index, fitsAt(restOfClause, text, refused) ?? refused);
  }
  return kept;
}

function endOfWish(text: string, at: number): number | undefined {
  return confetti.endAt(text, at) ?? celebrating.endAt(text, at) ?? fitsAt(refusable, text, at);
}
