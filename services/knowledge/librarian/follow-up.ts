import type { ConversationMessage } from "@agent-backends/contract";
import type { Language } from "@agent-backends/language";
import { detectLanguage, getContentTerms, segmenter } from "@agent-backends/language";

/** A question with at most this many content terms surely leaves out its subject. */
const maxDependentTerms = 1;
/** A question with at most this many content terms, or this many words, may leave out its subject. */
const maxUnsureTerms = 2;
const maxUnsureWords = 4;
/**
 * In a question of at most this many words, `shortContinuingWords` count in any language, because its language can't be detected
 * reliably.
 */
const maxShortQuestionWords = 5;
/** Maximum number of earlier questions to add when each of them leaves out its subject. */
const maxEarlierQuestions = 3;
/** Maximum number of characters of the previous answer to search for. Its first words name the subject. */
const maxAnswerCharacters = 200;
/** Maximum number of characters of a question to examine when deciding whether it leaves out its subject. */
const maxExaminedCharacters = 1_000;

/** Pronouns and similar words. Words that are ordinary words in another language are left out. */
const referringWords = new Set(
  `it its they them their theirs he him his she her hers this these those former latter one ones above
  er sie ihn ihm ihr ihre ihrer ihren ihrem dies diese dieser dieses diesem diesen jene jener jenes dazu davon dafür damit dabei dort
  darüber daran darin dessen deren
  il elle ils elles lui leur leurs cela ça celui celle ceux celles ceci
  ello ellos ella ellas eso esto esos estos esas estas aquel aquella
  esso essa essi esse ciò quello quella quelli questo questa questi queste
  ele eles isso isto aquilo dele dela deles delas
  hij zij hem haar hun dit deze daarvan daarvoor
  он она оно они его её ее их ему ей этого этот эта эти этом там
  它 它们 他 她 他们 她们 这 这个 这些 那 那个 那些 其 呢
  それ これ あれ その この そこ ここ 彼 彼女`.split(/\s+/),
);

/** Words that start a follow-up question. */
const continuingWords = new Set(
  `and or but und oder aber et ou mais y pero ma maar och ale entä peki dan còn și és και и а но або
  وماذا وكيف وهل وكم وما ومتى وأين ولماذا ומה ואיך וכמה ומתי और 那么 那麼 그리고 그럼 그러면 では じゃあ`.split(/\s+/),
);
/** Words that start a follow-up question only in these languages. In others they mean something else. */
const shortContinuingWords: ReadonlyMap<string, readonly Language[]> = new Map([
  ["e", ["it", "pt"]],
  ["en", ["nl"]],
  ["a", ["pl"]],
  ["i", ["pl"]],
  ["og", ["da", "no"]],
  ["men", ["sv", "da", "no"]],
  ["mas", ["pt"]],
  ["then", ["en"]],
  ["ve", ["tr"]],
]);
const continuingPhrases =
  /^(?:what about|how about|what if|was ist mit|wie sieht es mit|qué hay de|bagaimana dengan|thế còn)/;

/** What to search for to answer the last question of a conversation. */
export interface QuestionSearch {
  /** The question, with earlier questions added if it leaves out its subject. */
  query: string;
  /** Rephrased versions of the search, whose results have the same weight. Empty for a question that names its subject. */
  variants: string[];
}

/**
 * What to search for to answer the last message of a conversation. A question like "And how much is it?" leaves out its subject, which
 * earlier questions or the last answer name. It is detected by its few content terms and by words that refer back. Because the
 * detection can be wrong, the question is also searched unchanged. Each variant is a separate search.
 */
export function buildSearch(messages: readonly ConversationMessage[]): QuestionSearch {
  const question = messages.at(-1)?.content ?? "";
  const earlier = messages
    .slice(0, -1)
    .flatMap(({ role, content }) => (role === "user" && content.trim() !== "" ? [content.trim()] : []));
  const dependence = earlier.length === 0 ? "none" : judgeDependence(question);
  if (dependence === "none") return { query: question, variants: [] };

  const subject: string[] = [];
  for (const asked of earlier.slice(-maxEarlierQuestions).reverse()) {
    subject.unshift(asked);
    if (judgeDependence(asked) !== "sure") break;
  }
  const whole = `${question} (${subject.join(" ")})`;
  const answered = messages.findLast(({ role }) => role === "assistant")?.content.trim() ?? "";
  const opening = answered.slice(0, maxAnswerCharacters).replace(/\s*\[[\d\s,;–-]+\]/g, "");
  const afterAnswer = opening === "" ? [] : [`${question} (${opening})`];
  return dependence === "sure"
    ? { query: whole, variants: [question, ...afterAnswer] }
    : { query: question, variants: [whole, ...afterAnswer] };
}

/** Whether a question depends on earlier messages to be understood. */
function judgeDependence(question: string): "sure" | "perhaps" | "none" {
  const read = question.slice(0, maxExaminedCharacters);
  const segments = Array.from(segmenter("word").segment(read)).filter(({ isWordLike }) => isWordLike);
  const said = segments.map(({ segment }) => segment.toLowerCase());
  const [first = ""] = said;
  if (continuingWords.has(first) || said.some((word) => referringWords.has(word))) return "sure";
  const languages = shortContinuingWords.get(first);
  const isShort = said.length <= maxShortQuestionWords;
  if (languages && (isShort || languages.some((one) => one === detectLanguage(read)))) return "sure";
  if (continuingPhrases.test(said.join(" "))) return "sure";
  const { size } = getContentTerms(read);
  if (size <= maxDependentTerms) return "sure";
  return size <= maxUnsureTerms || said.length <= maxUnsureWords ? "perhaps" : "none";
}
