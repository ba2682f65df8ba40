import type { ConversationMessage } from "@agent-backends/contract";

/** A question about no more than this leaves out what it is about; about a second thing, it may, as may one of a few words. */
const fewTerms = 1;
const fewTermsPerhaps = 2;
const fewWordsPerhaps = 4;
/** How long a question is that begins with what is a word like "and" in one language, and any other in the next. */
const shortWords = 5;
/** How far back a chain of questions is followed that each leave out what they are about. */
const questionsAtMost = 3;
/** What of the answer before is searched for: its first words name what it is about. */
const answerCharacters = 200;
/** What of a question is read to see whether it stands for itself. */
const readCharacters = 1_000;

/** Words that stand for something named before, in the languages of which they are no ordinary words. */
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

/** Words by which a question goes on from what was said, where they come first. */
const continuingWords = new Set(
  `and or but und oder aber et ou mais y pero ma maar och ale entä peki dan còn și és και и а но або
  وماذا وكيف وهل وكم وما ومتى وأين ولماذا ומה ואיך וכמה ומתי और 那么 那麼 그리고 그럼 그러면 では じゃあ`.split(/\s+/),
);
const shortContinuingWords = new Set("e en a i og men mas then ve".split(" "));
const continuingPhrases =
  /^(?:what about|how about|what if|was ist mit|wie sieht es mit|qué hay de|bagaimana dengan|thế còn)/;

const words = new Intl.Segmenter("und", { granularity: "word" });

/** What is searched for a conversation's last question. */
export interface QuestionSearch {
  /** The question, made to stand for itself by what was asked before where it leaves that out. */
  query: string;
  /** The same search in other words, whose findings count as much; none for a question that stands for itself. */
  variants: string[];
}

type ContentTerms = (text: string) => Promise<ReadonlySet<string>>;

/**
 * What to search for, for the last message of a conversation. A question like "And how much is it?" leaves out what it is
 * about: the questions before it say that, or the answer to them. Whether it does is judged by how little it says by itself
 * and by the words that refer back; and so that one that only looks like it is found by itself as well, each is a search of its
 * own.
 */
export async function searchOf(
  messages: readonly ConversationMessage[],
  contentTerms: ContentTerms,
): Promise<QuestionSearch> {
  const question = messages.at(-1)?.content ?? "";
  const earlier = messages
    .slice(0, -1)
    .flatMap(({ role, content }) => (role === "user" && content.trim() !== "" ? [content.trim()] : []));
  const dependence = earlier.length === 0 ? "none" : await dependenceOf(question, contentTerms);
  if (dependence === "none") return { query: question, variants: [] };

  const subject: string[] = [];
  for (const asked of earlier.slice(-questionsAtMost).reverse()) {
    subject.unshift(asked);
    if ((await dependenceOf(asked, contentTerms)) !== "sure") break;
  }
  const whole = `${question} (${subject.join(" ")})`;
  const answered = messages.findLast(({ role }) => role === "assistant")?.content.trim() ?? "";
  const opening = answered.slice(0, answerCharacters).replace(/\s*\[[\d\s,;–-]+\]/g, "");
  const afterAnswer = opening === "" ? [] : [`${question} (${opening})`];
  return dependence === "sure"
    ? { query: whole, variants: [question, ...afterAnswer] }
    : { query: question, variants: [whole, ...afterAnswer] };
}

/** Whether a question needs what was said before it to be understood. */
async function dependenceOf(question: string, contentTerms: ContentTerms): Promise<"sure" | "perhaps" | "none"> {
  const read = question.slice(0, readCharacters);
  const segments = Array.from(words.segment(read)).filter(({ isWordLike }) => isWordLike);
  const said = segments.map(({ segment }) => segment.toLowerCase());
  const [first = ""] = said;
  if (continuingWords.has(first) || said.some((word) => referringWords.has(word))) return "sure";
  if (said.length <= shortWords && shortContinuingWords.has(first)) return "sure";
  if (continuingPhrases.test(said.join(" "))) return "sure";
  const { size } = await contentTerms(read);
  if (size <= fewTerms) return "sure";
  return size <= fewTermsPerhaps || said.length <= fewWordsPerhaps ? "perhaps" : "none";
}
