import { hasQuotes } from "./extract/query.ts";
import type { SentenceReading } from "./reading.ts";
import { pattern } from "./text/pattern.ts";
import {
  ambition,
  craftList,
  craftRequest,
  craftSuperlative,
  injection,
  isSmallTalk,
  launchCraft,
  launchQuestion,
  launchQuestionForeign,
  misbehaviour,
  opinion,
  ownDescription,
  ownLaunch,
  showing,
} from "./vocabulary/advising.ts";
import {
  achievement,
  award,
  celebrating,
  celebrationPicture,
  confetti,
  disappointment,
} from "./vocabulary/celebrating.ts";
import { anyProduct, kindAbroad, productKind, productTopic } from "./vocabulary/products.ts";
import { newest, ranking } from "./vocabulary/ranking.ts";
import {
  aboutConfetti,
  aboutOne,
  alternatives,
  asksAboutIt,
  asksAboutName,
  asksForQuoted,
  categoryHead,
  checkWhether,
  confettiTopic,
  countedElse,
  doer,
  finiteVerb,
  forWhom,
  howMany,
  interrogative,
  listing,
  lookItUp,
  namedProduct,
  nameShaped,
  notOneProduct,
  notTheSite,
  obligation,
  offTopic,
  ofOneself,
  personOrCraft,
  productQuestion,
  queryField,
  rankingTopic,
  searchOpening,
  slashConfetti,
  slashOther,
  slashSearch,
  slashTop,
  slashWindow,
  stateOfRanking,
  superlativeBest,
  voteCount,
  wantedProduct,
} from "./vocabulary/requests.ts";
import { searching } from "./vocabulary/searching.ts";

export type Action = "top" | "top_timeframe" | "search" | "confetti" | "advice";

/** A rule for one sentence. */
export interface Rule {
  name: string;
  action: Action;
  /** What counts when the sentences of a message speak of different things; without it, something is asked for outright. */
  strength?: "implied" | "news" | "question";
  /** Ends the routing: nothing else in the message counts. */
  final?: boolean;
  when(sentence: SentenceReading): boolean;
}

const words = (text: string): number =>
  text.split(" ").filter((word) => pattern(String.raw`[\p{L}\p{N}]`).test(word)).length;

function isSearchable(sentence: SentenceReading): boolean {
  const query = sentence.query.toLowerCase();
  if (query === "") return false;
  if (!personOrCraft.test(query)) return true;
  // "community" is where to ask for support, "community platforms" are products.
  const after = sentence.text.slice(sentence.text.indexOf(query) + query.length).trimStart();
  return productKind.startsIn(after);
}

const countRule = "count of a window";

/** Whether a rule holds for those who ask how many there are. */
export const isCount = ({ name }: Rule): boolean => name === countRule;

/** The rules, in the order in which they are tried on each sentence; the first that holds decides for it. */
export const rules: Rule[] = [
  {
    name: "misbehaviour",
    action: "advice",
    final: true,
    when: ({ text }) => misbehaviour.test(text) && !(searchOpening.test(text) && hasQuotes(text)),
  },
  { name: "slash search", action: "search", final: true, when: ({ text }) => slashSearch.test(text) },
  { name: "slash confetti", action: "confetti", final: true, when: ({ text }) => slashConfetti.test(text) },
  {
    name: "slash window",
    action: "top_timeframe",
    final: true,
    when: (s) => slashWindow.test(s.text) || (slashTop.test(s.text) && s.time !== undefined),
  },
  { name: "slash top", action: "top", final: true, when: ({ text }) => slashTop.test(text) },
  { name: "slash other", action: "advice", final: true, when: ({ text }) => slashOther.test(text) },
  { name: "query field", action: "search", final: true, when: ({ text }) => queryField.test(text) },
  { name: "injected code", action: "advice", when: ({ text }) => injection.test(text) && !searchOpening.test(text) },
  { name: "small talk", action: "advice", when: ({ text }) => isSmallTalk(text) && !celebrationPicture.test(text) },
  {
    name: "off topic",
    action: "advice",
    when: (s) => offTopic.test(s.text) && !searchOpening.test(s.text) && !productKind.isIn(s.text),
  },
  { name: "craft request", action: "advice", when: ({ text }) => craftRequest.test(text) && !lookItUp.test(text) },
  {
    name: "state of the window",
    action: "top_timeframe",
    when: (s) => stateOfRanking.test(s.text) && s.time !== undefined,
  },
  { name: "state of the ranking", action: "top", when: ({ text }) => stateOfRanking.test(text) },
  {
    name: "votes in a window",
    action: "top_timeframe",
    when: (s) => voteCount.test(s.text) && s.time !== undefined && !/\b(?:i|we|my|our)\b/.test(s.text),
  },
  { name: countRule, action: "top_timeframe", when: (s) => s.time !== undefined && countsLaunches(s.text) },
  {
    name: "launch question",
    action: "advice",
    strength: "question",
    when: ({ text }) => (launchQuestion.test(text) && !wantedProduct.test(text)) || launchQuestionForeign.test(text),
  },
  {
    name: "craft superlative",
    action: "advice",
    when: ({ text }) => craftSuperlative.test(text) || craftList.test(text),
  },
  {
    name: "confetti",
    action: "confetti",
    when: ({ text }) =>
      confetti.isIn(text) && !confettiTopic.test(text) && !searchOpening.test(text) && !aboutConfetti.test(text),
  },
  {
    name: "celebration",
    action: "confetti",
    strength: "implied",
    when: (s) =>
      !searchOpening.test(s.text) &&
      !confettiTopic.test(s.text) &&
      ((celebrating.isIn(s.text) && !aboutConfetti.test(s.text)) || (celebrationPicture.test(s.text) && !s.question)),
  },
  {
    name: "achievement",
    action: "confetti",
    strength: "news",
    when: (s) =>
      (achievement.test(s.text) || (s.exclaimed && award.test(s.text) && !showing.test(s.text))) &&
      !s.question &&
      !searchOpening.test(s.text) &&
      !confettiTopic.test(s.text) &&
      !disappointment.test(s.text),
  },
  { name: "ranking as a topic", action: "search", when: (s) => rankingTopic.test(s.text) && isSearchable(s) },
  {
    name: "search request",
    action: "search",
    when: (s) =>
      (searchOpening.test(s.text) || lookItUp.test(s.text)) &&
      !obligation.test(s.text) &&
      (isSearchable(s) || isNamed(s)),
  },
  {
    name: "look it up",
    action: "search",
    when: (s) => lookItUp.test(s.text) && s.reading.sentences.some((one) => one !== s && isSearchable(one)),
  },
  { name: "ambition", action: "advice", when: ({ text }) => ambition.test(text) && !showing.test(text) },
  {
    name: "own launch",
    action: "advice",
    when: (s) =>
      ownLaunch.test(s.text) &&
      !showing.test(s.text) &&
      !searching.isIn(s.text) &&
      !alternatives.test(s.text) &&
      !(s.ranked && s.limit !== undefined),
  },
  {
    name: "launch craft",
    action: "advice",
    when: (s) =>
      launchCraft.isIn(s.text) &&
      !searchOpening.test(s.text) &&
      !productKind.isIn(s.text) &&
      !(s.time !== undefined && s.ranked),
  },
  { name: "own description", action: "advice", when: ({ text }) => ownDescription.test(text) },
  { name: "opinion", action: "advice", when: ({ text }) => opinion.test(text) && !showing.test(text) },
  { name: "obligation", action: "advice", when: ({ text }) => obligation.test(text) && !showing.test(text) },
  {
    name: "named product",
    action: "search",
    when: (s) =>
      (namedProduct.test(s.text) ||
        (hasQuotes(s.text) && (aboutOne.test(s.text) || checkWhether.test(s.text) || asksForQuoted.test(s.text)))) &&
      s.literalQuery !== "",
  },
  {
    name: "ranked window",
    action: "top_timeframe",
    when: (s) => s.ranked && (s.time !== undefined || s.reading.timezone !== undefined),
  },
  {
    name: "window",
    action: "top_timeframe",
    when: (s) =>
      s.time !== undefined &&
      (s.query === "" || listing.test(s.text) || (anyProduct.isIn(s.text) && !finiteVerb.test(s.text))),
  },
  {
    name: "search in another language",
    action: "search",
    when: (s) => searching.isIn(s.text) && !s.ranked && isSearchable(s),
  },
  {
    name: "best of a category",
    action: "search",
    when: (s) =>
      superlativeBest.test(s.text) &&
      isSearchable(s) &&
      (productTopic.isIn(s.query.toLowerCase()) || (forWhom.test(s.text) && anyProduct.isIn(s.text))),
  },
  {
    name: "ranking",
    action: "top",
    when: (s) => s.ranked && !(isAlternative(s) || notAList(s) || achievement.test(s.text)),
  },
  {
    name: "newest",
    action: "top_timeframe",
    when: (s) =>
      newest.isExactly(s.text.trim()) ||
      (newest.isIn(s.text) &&
        (s.query === "" || newest.isExactly(s.query.toLowerCase())) &&
        anyProduct.isIn(s.text) &&
        !finiteVerb.test(s.text)),
  },
  {
    name: "question about a name",
    action: "search",
    when: (s) =>
      (asksAboutName.test(s.text) && s.name !== undefined) ||
      (asksAboutIt.test(s.text) && s.reading.sentences.some(({ name }) => name !== undefined)),
  },
  { name: "alternatives", action: "search", when: isAlternative },
  {
    name: "question about one product",
    action: "search",
    when: (s) => aboutOne.test(s.text) && isSearchable(s) && !notOneProduct.test(s.query.toLowerCase()),
  },
  {
    name: "question about products",
    action: "search",
    when: (s) =>
      productQuestion.test(s.text) &&
      !(confetti.isIn(s.text) && aboutConfetti.test(s.text) && !confettiTopic.test(s.text)) &&
      isSearchable(s) &&
      (anyProduct.isIn(s.text) ||
        productKind.isIn(s.text) ||
        productTopic.isIn(s.text) ||
        /\bany|some|out there|available/.test(s.text)),
  },
  {
    name: "question about a window",
    action: "top_timeframe",
    when: (s) => s.time !== undefined && interrogative.test(s.text) && !notTheSite.test(s.text),
  },
  {
    name: "category",
    action: "search",
    when: (s) =>
      !finiteVerb.test(s.text) &&
      isSearchable(s) &&
      (categoryHead.test(s.text) ||
        kindAbroad.isIn(s.text) ||
        doer.test(s.query.toLowerCase()) ||
        productKind.isIn(s.query.toLowerCase()) ||
        productTopic.isIn(s.query.toLowerCase()) ||
        nameShaped.test(s.query)) &&
      !(s.question && / or /.test(s.text)) &&
      words(s.query) <= longestCategoryWords,
  },
  {
    name: "plain list",
    action: "top",
    when: (s) => (s.limit !== undefined || showing.test(s.text)) && s.query === "" && anyProduct.isIn(s.text),
  },
];

const longestCategoryWords = 7;

/** "how many launched yesterday", but not "how many screenshots do I need" */
function countsLaunches(text: string): boolean {
  const end = howMany.find(text)?.end;
  return end !== undefined && !countedElse.test(text.slice(end)) && !ofOneself.test(text);
}

function isNamed(sentence: SentenceReading): boolean {
  const { text, literalQuery } = sentence;
  if (/["「]|\b(?:called|named|titled)\b/.test(text)) return literalQuery !== "";
  // "find 2048", which counts nothing; "find 5" does.
  return /^\d{3,}$/.test(literalQuery) && text.trimEnd().endsWith(literalQuery);
}

function isAlternative(sentence: SentenceReading): boolean {
  return (
    alternatives.test(sentence.text) && isSearchable(sentence) && !notOneProduct.test(sentence.query.toLowerCase())
  );
}

function notAList(sentence: SentenceReading): boolean {
  return (
    sentence.text.length > 60 &&
    sentence.limit === undefined &&
    !showing.test(sentence.text) &&
    !anyProduct.isIn(sentence.text) &&
    !ranking.isIn(sentence.text.slice(0, 40))
  );
}
