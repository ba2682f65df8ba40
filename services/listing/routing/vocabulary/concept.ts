import { fold } from "../text/fold.ts";

const written = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const ascii = /^[\u0020-\u007e]*$/;

/** Something that people say in many ways and languages. Texts must be folded. */
export class Concept {
  /** Alternatives as the source of a regular expression without groups, for patterns that are built on the concept. */
  readonly source: string;
  readonly #asciiPattern: RegExp;
  readonly #fullPattern: RegExp;

  /**
   * @param vocabulary phrases separated by `|` or line ends. `*` stands for any rest of a word, a space also for a hyphen,
   * an apostrophe may be missing. Phrases of scripts without spaces, and Korean ones, are found inside longer words too.
   */
  constructor(vocabulary: string) {
    const phrases = vocabulary
      .split(/[|\n]/)
      .map((phrase) => fold(phrase.trim()))
      .filter((phrase) => phrase !== "")
      .sort((one, other) => other.length - one.length);
    const latin = phrases.filter((phrase) => ascii.test(phrase)).map((phrase) => phraseSource(phrase));
    const other = phrases.filter((phrase) => !ascii.test(phrase)).map((phrase) => phraseSource(phrase));
    const latinSource = latin.length > 0 ? `(?:${latin.join("|")})` : "(?!)";
    this.source = [...(latin.length > 0 ? [latinSource] : []), ...other].join("|");
    this.source = `(?:${this.source})`;
    this.#asciiPattern = new RegExp(latinSource, "u");
    this.#fullPattern = new RegExp(this.source, "u");
  }

  isIn(text: string): boolean {
    return (ascii.test(text) ? this.#asciiPattern : this.#fullPattern).test(text);
  }

  /** The whole text is one of the phrases. */
  isExactly(text: string): boolean {
    const match = this.find(text);
    return match !== undefined && match.start === 0 && match.end === text.length;
  }

  /** The text begins with one of the phrases. */
  startsIn(text: string): boolean {
    return this.find(text)?.start === 0;
  }

  find(text: string): { start: number; end: number } | undefined {
    const match = (ascii.test(text) ? this.#asciiPattern : this.#fullPattern).exec(text);
    return match === null ? undefined : { start: match.index, end: match.index + match[0].length };
  }
}

function phraseSource(phrase: string): string {
  const open = phrase.endsWith("*");
  const body = phrase
    .replace(/\*$/, "")
    .replaceAll(/[\\^$.*+?()[\]{}/]/g, "\\$&")
    .replaceAll("'", "'?")
    .replaceAll(/\\\* /g, "[\\p{L}\\p{M}]* ")
    .replaceAll(" ", "[ -]");
  if (written.test(phrase)) return body;
  const start = /^[\p{L}\p{N}]/u.test(phrase) ? wordStart(phrase) : "";
  const rest = open ? "[\\p{L}\\p{M}]*" : "";
  const end = /[\p{L}\p{M}\p{N}*]$/u.test(phrase) ? wordEnd(phrase) : "";
  return `${start}${body}${rest}${end}`;
}

function wordStart(phrase: string): string {
  return ascii.test(phrase) ? "\\b" : "(?<![\\p{L}\\p{M}\\p{N}])";
}

function wordEnd(phrase: string): string {
  return ascii.test(phrase) ? "\\b" : "(?![\\p{L}\\p{M}\\p{N}])";
}
