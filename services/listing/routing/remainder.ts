import { pattern } from "./text/pattern.ts";
import { launchCraft } from "./vocabulary/advising.ts";
import { confetti } from "./vocabulary/celebrating.ts";
import { weighing } from "./vocabulary/following.ts";
import { anyProduct, kindAbroad, productKind, productTopic } from "./vocabulary/products.ts";
import { ranking } from "./vocabulary/ranking.ts";
import { ofOneself } from "./vocabulary/requests.ts";
import { searching } from "./vocabulary/searching.ts";

const maxWordsBeside = 4;
/** A number says less about what is meant than a time does. */
const maxWordsBesideNumber = 3;
const wordsBeside = pattern(
  String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]{1,3}|[\p{L}\p{M}\p{N}'-]+?(?=$|[^\p{L}\p{M}\p{N}'-]|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])`,
  "g",
);
const lengthInWords = (text: string): number => text.match(wordsBeside)?.length ?? 0;

const otherTopics = [
  weighing,
  anyProduct,
  productKind,
  productTopic,
  kindAbroad,
  ranking,
  searching,
  launchCraft,
  confetti,
];
/** What is left has a topic of its own, or the writer's own affairs. */
export const isAboutElse = (text: string): boolean =>
  otherTopics.some((topic) => topic.isIn(text)) || ofOneself.test(text);

/** What is left is too little to say something else. */
export const isLittle = (text: string, isBesideNumber: boolean): boolean =>
  lengthInWords(text) <= (isBesideNumber ? maxWordsBesideNumber : maxWordsBeside);
