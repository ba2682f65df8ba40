import { queryPhrases } from "../languages/index.ts";
import { pattern } from "../text/pattern.ts";

// "a" and "q" in "a/b" and "q&a" are not separate words.
const edge = "(?![\\p{L}\\p{M}\\p{N}]|[/&]\\p{L})";
const gap = "(?:[\\s,:;!?¿¡()-]|\\.(?!\\p{L}))*";

/** Finds the filler words around a search query. */
interface Trimmer {
  opens: RegExp;
  before: RegExp;
  after: RegExp;
}

// "Notiz-Apps" ends with a product. English writes these words apart: "pop-up", "check-in".
const compound = "|(?<=\\p{L}{3})-";

function createTrimmer({ opening, before, after }: (typeof queryPhrases)["en"], isCompounding: boolean): Trimmer {
  return {
    opens: pattern(`^${gap}(?:${opening})${edge}`),
    before: pattern(`^${gap}(?:${opening}|${before})${edge}(?!-\\p{L})`),
    after: pattern(`(?:(?:^|[\\s,])(?<!-)${isCompounding ? compound : ""})(?:${after})${gap}$`),
  };
}

const { en, tr, ...others } = queryPhrases;
export const englishTrimmer = createTrimmer(en, false);
/** For sentences that end with a Turkish verb. */
export const turkishTrimmer = createTrimmer(tr, true);
export const otherTrimmers = Object.values(others).flatMap((phrases) =>
  phrases.opening === "" ? [] : [createTrimmer(phrases, true)],
);

/** Languages without words that open a sentence have the verb at its end, and mostly no spaces. */
const eastern = Object.values(others).filter(({ opening }) => opening === "");
export const easternBefore = new RegExp(`^(?:[\\s,。、，：:]|${eastern.map(({ before }) => before).join("|")})+`);
export const easternAfter = new RegExp(`(?:[\\s,。、？?！!]|${eastern.map(({ after }) => after).join("|")})+$`);
