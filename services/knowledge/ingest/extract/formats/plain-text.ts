import { separateTitle } from "../../chunk/tables.ts";
import { normaliseText } from "../../normalise.ts";
import type { ExtractedText, ExtractionInput, ExtractionLimits, Mark } from "../document.ts";
import { ExtractionError } from "../document.ts";
import { decodeText } from "../encoding/decode.ts";
import { parseCharset } from "../encoding/known-encoding.ts";
import { HeadingPath } from "../text-builder.ts";

export function extractPlainText(
  input: ExtractionInput,
  _limits: ExtractionLimits,
  format: { name: string },
): ExtractedText {
  return readPlainText(decodeText(input.bytes, parseCharset(input.contentType)), format.name);
}

export const isSeparatedValues = (format: string): boolean => format === "csv" || format === "tsv";

/** Text unchanged, with underlined headings marked. @throws ExtractionError `empty` if it is blank */
export function readPlainText(text: string, format = "text"): ExtractedText {
  const normalised = normaliseText(text);
  if (normalised === "") throw new ExtractionError("empty", "The text is empty or only white space.");
  if (isSeparatedValues(format)) return { text: separateTitle(normalised), isSeparatedValues: true, marks: [] };
  return { text: normalised, marks: new UnderlineScanner().scan(normalised) };
}

const sign = "=~^\"'`#*+:.<>_-";
const underlined = new RegExp(
  `(?<=^|\\n\\n)(?:([${sign}])\\1{2,}\\n)?[ \\t]?(\\S[^\\n]{0,150})\\n(([${sign}])\\4{2,})(?=\\n|$)`,
  "g",
);

/**
 * Finds headings of plain text: a line with a line of one repeated sign of the same length below it, and perhaps one above. The order
 * in which these styles first appear determines their levels (reStructuredText,
 * https://docutils.sourceforge.io/docs/ref/rst/restructuredtext.html#sections).
 */
export class UnderlineScanner {
  readonly #path = new HeadingPath();
  readonly #styles: string[] = [];

  /** The marks of a text, or of the next stretch of a document that is cut between blocks. */
  scan(text: string): Mark[] {
    const above = this.#path.current;
    const marks: Mark[] = above === undefined ? [] : [{ start: 0, heading: above }];
    for (const { index: start, 1: over = "", 2: line = "", 3: under = "", 4: sign = "" } of text.matchAll(underlined)) {
      const { length } = line.trimEnd();
      // East Asian characters are twice as wide as signs.
      if (under.length < length || under.length > 2 * length + 2 || !/[\p{L}\p{N}]/u.test(line)) continue;
      const style = over + sign;
      if (!this.#styles.includes(style)) this.#styles.push(style);
      const heading = this.#path.enter(this.#styles.indexOf(style) + 1, line);
      if (marks.at(-1)?.start === start) marks.pop();
      if (heading !== undefined) marks.push({ start, heading });
    }
    return marks;
  }
}
