import { fold } from "@agent-backends/language";
import { stem } from "./stem.ts";

/** English function words, and function words of other languages that are not also English words or abbreviations. */
const stopWords = new Set(
  `a about above after again against all also am an and any are as at be because been before being below between both
  but by can could did do does doing down during each few for from further had has have having he her here hers
  him his how however i if in into is it its itself just may me might more most must my no nor not now of off on
  once only or other our ours out over own per same she should so some such than that the their theirs them then
  there these they this those through thus to too under until up upon us very was we were what when where whether
  which while who whom whose why will with within without would yet you your yours
  der das eine einen einem einer und oder ist sind wie wann warum welche welcher welches viel viele haben wird werden
  nicht quel quelle quels quelles combien pourquoi quand dans avec nous vous qué cuál cuáles cómo cuánto cuántos
  cuándo dónde para unas qual quais quanto quando onde gli cosa dove perché een hoe waar wanneer waarom voor
  и в во не что он на я с со как а то все она так его но да ты к у же вы за бы по от о из ему когда где кто какой
  какая какие сколько почему это`
    .split(/\s+/)
    .map(fold),
);

/** Words that are frequent in English texts on any subject. */
const veryCommonWords = toStems(
  `across actions activities additional affect allow always among amount analysis another answer app approach
  approximately associated association available away based become beginning best book break build built call
  center change charge city class close com common compare complete component conditions connection considered
  content contributions control create credit data date day days decrease demonstrate described design despite
  details determine determined development different directly document due early effect effects either elements end
  established even event evidence examine example except expected factor features final first five following former
  found four free full function future general generated get given goals going great group half help high history
  hold home identify including increase information international investigate involved issued join known last
  leading least left less level life like limited line list local location long look low lower made make making
  management many march means measure mechanism media members method million much name national near need new next
  notes number observe offering one open operating opportunity order original page part particular period place
  plans play point position possible post potential power present process products project promote provided public
  question range real received recorded reduce relationship release remaining remove replace report represented
  require research response result return reveal right role run said save second section see select separate serve
  set ship show side signed significant similar since single size small source specific standard start state still
  strong studies study suggest suggests support system table take taken term third three throughout time together
  tools top total toward two type united use used user using value various version want way well work world year`,
);

/** Words that are frequent in texts on most subjects. */
const commonWords = toStems(
  `ability able absolutely accepts access accompanying according achieved act active actual add added addition
  address advanced age agency agent agreement aims air almost along already alternative although analyzed announced
  appear appropriate around asked assessment assets assign assistant assuming attribution authority average awards
  awareness back background balance bank base basic basis beat became began believes belong benefit better beyond
  big bill block board body bottom box bring broken business calculated came cannot capture card care carrying case
  cause certain chain challenge check chief choice citing claims classified clean clear code collaboration
  collection column combination combined come commercial commitments community company compared comparison compete
  competition complex comprehensive conduct conflict consequently consistent consists constant constructs contains
  continued controlled conversions convert core corner costs country coupled course cover critical cross current
  cut david decided decision dedicated deep default defined definitions delay deliver depending description destroy
  difficult discover discussion display distribution district domestic done draw earlier east easy economic economy
  education efficiency efforts eight eliminated else enable engage enhance enjoying enough ensure entered entire
  environment environmental equal equipment essential evaluation ever every exist expanded experience exposed
  expression extend extensive extremely eyes face faced fact factors failed fair fall far feel fell field find fine
  finished fixed flat focused foot force foreign form format forward fourth frequency front fully functional funds
  gains gap give good got government grade grant greater greatest growing guarantees hand happen head heart heavy
  held hidden higher highest historical hit host hour human idea identified immediately impact implemented
  important improve incorporated independent index indicated individual influence initial initiatives inspired
  install instead institutions instructions intended interactions interest introduced investigation investment
  island item jobs keep key kind know labor lack land large larger largest late later launch leader learn leave led
  legacy letters light link little lived lives longer losing lost main maintain major majority manufacturing mark
  match matters measured meet message met middle missing mixed model modern modification modified months most move
  moved multiple named nation native natural necessary negative neither net never night nine non none normal not
  notice obtained occur office official often old oldest online options organization other outside overall owner
  paid paper parent partially participated partners partnerships party pass past pattern pay people percent
  performed permission permits person personal phase picture piece plus poor popular population portion positive
  practices pre preferred prepared prevent previously primarily prior private pro probably problem proceeds produce
  program progress promise proposal proposed protect proved published purposes put quality questions quick raise
  rate ratio reached read ready reason recent recognition recognized recommended recovered refer reference reflect
  regarding regions regular related relationships relative relevant rely repeat representation resistant resolve
  resources respect responsible rest restore retained review risk road rules safe says scale schedules sector
  secure seeks seen senior sense sent series seven several shape shift short shown simple simply site situation six
  slowly smaller social solutions something sometimes sort space special speed spent spot stage stars statistics
  stay step stop store strategies strengthen structure subject subsequent summary super supply sure taking target
  technical technology tell ten tend test thank therefore things think though thought thousands threat title today
  track training transfer transform transition travel true trying turns ultimately understanding union unique
  unless unlike usage usually variable vary via view visit wait watching ways weak weekly win windows won words
  worldwide worth write written wrote young zero`,
);

/**
 * Weight of a word, 0 to 1. It replaces the inverse document frequency, which can't be computed from a single text. The class weights gave
 * the best retrieval in a collection that the words were not chosen from.
 */
export function getWordWeight(word: string): number {
  if (stopWords.has(word)) return 0;
  if (/^\p{N}+$/u.test(word)) return 0.7;
  const root = stem(word);
  if (veryCommonWords.has(root)) return 0.4;
  return commonWords.has(root) ? 0.65 : 1;
}

function toStems(words: string): Set<string> {
  return new Set(words.trim().split(/\s+/).map(stem));
}
