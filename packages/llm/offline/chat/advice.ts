import { analyze, getContentTerms } from "@agent-backends/language";
import { findAnswerType } from "../reader/answer-types.ts";

/** A word that occurs in more points than this doesn't identify one. */
const maxPointsOfWord = 2;

/**
 * Answers from advice in the system prompt: a list between `<advice>` and `</advice>`, one point per line that begins with its topic.
 * Returns the points that the question is about, all of them if it is about the advice as a whole, else the text between `<abilities>` and
 * `</abilities>`. Undefined without such a list.
 */
export function adviseFromPrompt(question: string, prompt: string): string | undefined {
  const points = /<advice>\n([\s\S]*?)\n<\/advice>/.exec(prompt)?.[1]?.split("\n");
  if (points === undefined) return undefined;
  const found = findPoints(question, points);
  if (found.length > 0) return found.join("\n");
  const abilities = /<abilities>(.*?)<\/abilities>/.exec(prompt)?.[1];
  return abilities === undefined ? points.join("\n") : `I can ${abilities}.`;
}

function findPoints(question: string, points: readonly string[]): readonly string[] {
  const asked = [
    ...getContentTerms(question, ["en"]),
    ...(findAnswerType(question) === "time" ? analyze("timing", ["en"]) : []),
  ];
  const terms = points.map((point) => new Set(analyze(point, ["en"])));
  const countPoints = (term: string) => terms.filter((some) => some.has(term)).length;
  const known = asked.filter((term) => countPoints(term) > 0);
  const telling = known.filter((term) => countPoints(term) <= maxPointsOfWord);
  if (telling.length === 0) return known.length > 0 ? points : [];
  const scores = terms.map((some) => telling.filter((term) => some.has(term)).length);
  return points.filter((_, at) => scores[at] === Math.max(...scores));
}
