import type { SentenceReading } from "./reading.ts";
import {
  ambition,
  craftList,
  craftRequest,
  craftSuperlative,
  injection,
  launchCraft,
  launchQuestion,
  launchQuestionForeign,
  misbehaviour,
  ownLaunch,
  showing,
  smallTalk,
} from "./vocabulary/advising.ts";
import {
  achievement,
  award,
  celebrating,
  celebrationPicture,
  confetti,
  disappointment,
} from "./vocabulary/celebrating.ts";
import { anyProduct, productKind, productTopic } from "./vocabulary/products.ts";
import { newest, ranking } from "./vocabulary/ranking.ts";
import { searching } from "./vocabulary/searching.ts";

export type Action = "top" | "top_timeframe" | "search" | "confetti" | "advice";

/** A rule for one sentence. */
export interface Rule {
  name: string;
  action: Action;
  /** What is asked for outright goes before what is only implied, when a message holds several sentences. */
  implied?: boolean;
  /** Ends the routing: nothing else in the message counts. */
  final?: boolean;
  when(sentence: SentenceReading): boolean;
}

const slash = (commands: string): RegExp => new RegExp(`^\\s*[/!](?:${commands})(?![\\p{L}])`, "u");
const slashSearch = slash("search|find|lookup|s");
const slashConfetti = slash("confetti|celebrate|party");
const slashWindow = slash("today|yesterday|week|month|daily|weekly|monthly|day|lastweek|last-week");
const slashTop = slash("top|best|leaderboard|ranking|trending|list|posts");
const slashOther = /^\s*\/[a-z]/u;

const queryField = /^\s*(?:q|query|keywords?|search term)\s?[=:]\s?\S|^\s*search\s?:\s?\S/u;
const searchOpening =
  /^[\s,.:;¿¡-]*(?:(?:hi|hey|hello|yo|ok|okay|and|so|now|please|pls|plz|kindly|just|bot|can you|could you|would you|will you|i want(?: you)? to|i'?d like(?: you)? to|i need(?: you)? to|let'?s|let me|help me(?: to)?|go|do a|run a|por favor|bitte|s'il te plait|i'?m|we'?re|i am|we are|trying to|want to)[, ]+)*(?:search\w*|find(?:ing)?|look(?:ing)? (?:up|for|around)|lookup|query|browse|locate|google|grep|dig up|pull up|bring up|hunt down|explore|discover)\b/u;
const lookItUp =
  /\b(?:look|search|find) (?:it|them|that|this|those|for it|for them)(?: up)?\b|\bsearch it\b|[,.?!;] ?(?:and )?search\s*$/u;

const rankingTopic =
  /\b(?:rank|ranking|leaderboard|charts?|trends?|upvote|upvoting|vote|voting|poll|lead|top|best|winner|hot|popular)s? (?:track\w*|widgets?|librar\w+|plugins?|apis?|sdks?|generators?|checkers?|builders?|makers? (?:app|tool)s?|bots?|software|monitor\w*|systems?|components?|extensions?|generation|capture|scoring|analysis|analytics|keys?|desk|air)\b/u;
const confettiTopic =
  /\b(?:confetti|firework|fireworks|celebration|party|balloon)(?:\.js|-js)?s? (?:librar\w+|packages?|components?|plugins?|effects?|animations? (?:librar\w+|for|in|tool|app|package)|apps?|tools?|products?|generators?|code|npm|css|alternatives?|scripts?|sdks?|plann\w+|supplies|games?|ideas|makers?|startups?|on (?:a|my|our|the) (?:landing|web|home|page|site))\b|\bconfetti\.?js\b|\b(?:third|1st|first|3rd|second|political|search)[- ]party\b|\b(?:ways|ideas|tips) (?:to|for) celebrat/u;
const aboutConfetti =
  /^[\s,.:;]*(?:what|what's|whats|who|where|which|why|how|is|are|does|did|do (?:you|i|we)|was|should|when)\b/u;

const listing =
  /\b(?:did|has|have|was) (?:there )?(?:anything|something|anyone|any \w+)\b|\b(?:what|which|who|anything|whatever)(?: (?:products?|launch(?:es)?|apps?|tools?|startups?|posts?|makers?|things|else|has|have|got|did|was|were|is|are|'s))* ?(?:launched|shipped|came out|come out|dropped|released|went live|going live|go live|topped|tops|hunted|posted|featured|happened|happening|was big|did (?:i|we) miss|i missed|we missed|debut\w*|new|hot|won|winning|on top|up)\b|\b(?:what'?s|whats) (?:on|new|hot|up|out|live|launching|trending|leading|good)\b|\b(?:digest|recap|roundup|round-up|rundown|snapshot|summary of|overview|results?|archive|time travel|catch me up|what did (?:i|we) miss|i missed|show|list|give me|gimme|send me|display|print|fetch|get me|tell me about|see)\b|que (?:se lanzo|salio|hay|productos)|quoi de neuf|was (?:gab|gibt|ist|war|kam)|o que (?:saiu|lancou|teve)|cosa (?:e uscito|c'e)|wat (?:is|was|kwam)|co (?:wyszlo|nowego)|ne (?:cikti|var)|что (?:вышло|нового|было|запустил\p{L}*)|क्या (?:लॉन्च|आया|नया)|何が|有什么|有哪些|发布了|뭐가|무엇이|出た|出ました/u;
const voteCount = /\bhow (?:many|much)\b.{0,40}\b(?:up)?votes?\b|\bvote counts?\b/u;
const stateOfRanking =
  /\b(?:how(?:'?s| is| are| does| do| did)?|what(?:'?s| does| is)?)\b.{0,24}\b(?:leaderboard|rankings?|charts?|front ?page|home ?page|top (?:\d+|ten|five|products|launches|posts)|launches|standings)\b.{0,16}\b(?:look\w*|doing|going|shaping up|do|perform\w*|like|right now|today|yesterday)\b/u;
const offTopic =
  /\b(?:weather|world cup|super ?bowl|elections?|president|movies?|films?|songs?|restaurants?|football|soccer|basketball|nba|oscars?|grammys?|stock (?:price|market)|horoscope|lottery|traffic|dinner|lunch|breakfast|capital of|population of|bitcoin price|joke)\b/u;
const personOrCraft =
  /^(?:(?:a|an|the|some|my|our|more|good|great|best|perfect|right|ideal|new|early|beta|first|real|other|fellow|potential|experienced|famous|big|top) )*(?:hunters?|testers?|adopters?|investors?|supporters?|upvoters?|customers?|users?|audience|feedback|advice|tips?|help|co-?founders?|journalists?|press|reporters?|influencers?|inspiration|ideas?|communit(?:y|ies)|ways?|time|times|timing|day|days|date|strateg(?:y|ies)|someone|somebody|people|partners?|reasons?|answers?|information|info|guidance|mentors?|friends|guidelines|rules|best practices|examples? of)(?: (?:to|for|who|that|about|on|in|of|with|how|why|willing|when|early)\b.*)?$/u;
const obligation = /\b(?:i|we) (?:should|must|ought|have to|need to know)\b|\b(?:should|must) (?:i|we)\b/u;
const forWhom = /\b(?:for|para|pour|fur|per|voor|dla|icin|для) \p{L}/u;
const superlativeBest =
  /\b(?:best|mejor(?:es)?|meilleur(?:e|es|s)?|beste[nrs]?|melhor(?:es)?|miglior[ei]|najlepsz\p{L}+|лучш\p{L}+|recommended)\b/u;

const alternatives =
  /\b(?:alternatives?|competitors?|rivals?|replacements?|substitutes?)(?: (?:to|for|of))?\b|\b(?:similar|comparable|close) to\b|\b(?:(?<!'d |would |do |you |i |we )like (?!to\b|that\b|this\b|it\b|the\b|a\b)|such as )[\p{L}\d]|alternativ\p{L}+|альтернатив\p{L}*|аналог\p{L}*|替代|類似|代わり|대안|대체|विकल्प|benzeri|alternatif/u;
const productQuestion =
  /\b(?:do you know|have you (?:heard|seen|got)|heard of|know of|is there (?:a|an|any|some)\w*|are there (?:any|some)|any(?:thing|one|body)? (?:good |new |similar |else |built |made |powered |based |like |from |by |for |about |with |that |to |on |in |which )|something (?:like|for|that|to|similar|with)|who (?:makes|made|built|created|launched|is behind)|when (?:did|was|were)|has|did|is|was) .*|\b(?:which|what) (?:[\p{L}-]+ ){0,3}?(?:products?|tools?|apps?|startups?|launches|editors?|platforms?|software|bots?|extensions?|plugins?|services?|builders?|managers?|trackers?|generators?|collections?)\b|\bhow many (?:products|launches|tools|apps|posts|startups)\b|\b(?:launches|products?|posts?|tools|apps|things|stuff|something) (?:by|from|about|for|that|which|with|on|mentioning|tagged|in|using|built|made|to)\b|\bgot (?:any|anything|something|a|an)\b|\b(?:i|we) (?:need|want|am looking|'m looking|could use) (?:a|an|some)\b|\b(?:recommend|suggest)\b/u;
const aboutOne =
  /^[\s,.]*(?:is|was|did|has|have|do you know|have you heard of|when (?:did|was)|who (?:makes|made|built|created|is behind)|know)\b.*(?:\bon (?:product ?hunt|ph|here|the site|this site|there)|\bhere|\blaunch\w*|\blisted|\bfeatured|\bposted|\bhunted|\breleased|\bdo you know|heard of)|^[\s,.]*(?:do you know|have you heard (?:of|about)|ever heard of|who (?:makes|made|built|created|is behind)|know)\b/u;
const notOneProduct = /\b(?:it|this|that|i|we|my|our|you|your|they|he|she|asking|getting|someone|anyone|people)\b/u;
const words = (text: string): number => text.split(" ").filter((word) => /[\p{L}\p{N}]/u.test(word)).length;
const finiteVerb =
  /\b(?:i|we|you|he|she|it|they|i'?m|we'?re|my|our|your|is|was|were|am|be|been|will|would|should|could|might|have|had|did|does|feel|think|hope|love|hate|like it|don'?t|didn'?t|can'?t|isn'?t|wasn'?t|went)\b/u;

const categoryHead =
  /\b(?:products?|apps?|tools?|stuff|software|startups?|things|launches|posts|projects|services|platforms|aplicaciones|herramientas|productos|outils|produits|produkte|anwendungen|ferramentas|aplicativos|produtos|strumenti|prodotti|producten|narzedzia|aplikacje|produkty|uygulama\p{L}*|arac\p{L}*|urun\p{L}*)\b|(?<!\p{L})(?:приложени|инструмент|сервис|продукт)\p{L}*|ऐप|टूल|アプリ|ツール|製品|软件|工具|应用|앱|도구|서비스/u;
/** "background remover": what does something is a product, unless it is a person. */
const doer =
  /\p{L}[ -](?!other|better|later|number|order|hunter|maker|founder|user|customer|together|ever|never|whatever|after|under|offer|answer|winner|leader|weather|dinner|matter|letter|error|color|supporter|adopter|tester|investor|partner|member|owner|subscriber|follower|newcomer|banner|header|footer|poster|flyer|teaser|easter|summer|winter|september|october|november|december|over|later|launcher)\p{L}{3,}(?:er|or)s?$/u;
function isSearchable(sentence: SentenceReading): boolean {
  const query = sentence.query.toLowerCase();
  return query !== "" && !personOrCraft.test(query);
}

/** The rules, in the order in which they are tried on each sentence; the first that holds decides for it. */
export const rules: Rule[] = [
  { name: "misbehaviour", action: "advice", final: true, when: ({ text }) => misbehaviour.test(text) },
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
  { name: "small talk", action: "advice", when: ({ text }) => smallTalk.test(text) && !celebrationPicture.test(text) },
  {
    name: "off topic",
    action: "advice",
    when: (s) => offTopic.test(s.text) && !searchOpening.test(s.text) && !productKind.isIn(s.text),
  },
  { name: "craft request", action: "advice", when: ({ text }) => craftRequest.test(text) },
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
  {
    name: "launch question",
    action: "advice",
    when: ({ text }) => launchQuestion.test(text) || launchQuestionForeign.test(text),
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
    implied: true,
    when: (s) =>
      !searchOpening.test(s.text) &&
      !confettiTopic.test(s.text) &&
      ((celebrating.isIn(s.text) && !aboutConfetti.test(s.text)) ||
        (celebrationPicture.test(s.text) && !s.question) ||
        ((achievement.test(s.text) || (s.exclaimed && award.test(s.text) && !showing.test(s.text))) &&
          !s.question &&
          !disappointment.test(s.text))),
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
  { name: "obligation", action: "advice", when: ({ text }) => obligation.test(text) && !showing.test(text) },
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
  { name: "ranking", action: "top", when: (s) => s.ranked && !(isAlternative(s) || notAList(s)) },
  {
    name: "newest",
    action: "top_timeframe",
    when: (s) => newest.isIn(s.text) && s.query === "" && anyProduct.isIn(s.text) && !finiteVerb.test(s.text),
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
      isSearchable(s) &&
      (anyProduct.isIn(s.text) || productKind.isIn(s.text) || productTopic.isIn(s.text) || /\bany|some/.test(s.text)),
  },
  {
    name: "category",
    action: "search",
    when: (s) =>
      !finiteVerb.test(s.text) &&
      isSearchable(s) &&
      (categoryHead.test(s.text) ||
        doer.test(s.query.toLowerCase()) ||
        productKind.isIn(s.query.toLowerCase()) ||
        productTopic.isIn(s.query.toLowerCase())) &&
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

function isNamed(sentence: SentenceReading): boolean {
  return /["「]|\b(?:called|named|titled)\b/u.test(sentence.text) && sentence.literalQuery !== "";
}

function isAlternative(sentence: SentenceReading): boolean {
  return (
    alternatives.test(sentence.text) && isSearchable(sentence) && !notOneProduct.test(sentence.query.toLowerCase())
  );
}

function notAList(sentence: SentenceReading): boolean {
  return (
    sentence.text.length > 60 &&
    !showing.test(sentence.text) &&
    !anyProduct.isIn(sentence.text) &&
    !ranking.isIn(sentence.text.slice(0, 40))
  );
}
