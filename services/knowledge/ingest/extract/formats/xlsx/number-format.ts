/** Formats a number like its cell. Returns undefined if that isn't possible. */
export type CellFormat = (value: number) => string | undefined;

/** Number formats that a workbook doesn't need to define (ECMA-376 part 1, 18.8.30). Date formats are in cell-date.ts. */
const builtIn: Readonly<Record<number, string>> = {
  1: "0",
  2: "0.00",
  3: "#,##0",
  4: "#,##0.00",
  9: "0%",
  10: "0.00%",
  37: "#,##0;(#,##0)",
  38: "#,##0;(#,##0)",
  39: "#,##0.00;(#,##0.00)",
  40: "#,##0.00;(#,##0.00)",
  // Formats 5 to 8, 42 and 44 show the currency of the reader's country, which is left out.
  ...Object.fromEntries([5, 6, 41, 42].map((id) => [id, "#,##0"])),
  ...Object.fromEntries([7, 8, 43, 44].map((id) => [id, "#,##0.00"])),
};

/** Maximum length of a format code in Excel. */
const maxCodeCharacters = 255;

/** Number of significant digits that Excel keeps: 0.07 * 100 is 7, not 7.000000000000001. */
export const significantDigits = 15;

/** The parts of a format code (ECMA-376 part 1, 18.8.31). Dates, fractions, exponents and conditions are not included. */
const part =
  /"(?<quoted>[^"]*)"|\\(?<escaped>.)|(?<padding>_.)|(?<unseen>\*.|\[(?:black|blue|cyan|green|magenta|red|white|yellow|color ?\d+)\])|\[\$(?<currency>[^\]-]*)(?:-[^\]]*)?\]|(?<general>General)|(?<digits>[0#?](?:[0#?,]*[0#?])?(?:\.[0#?]*)?|\.[0#?]+)(?<thousands>,*)|(?<percent>%)|(?<literal>[-+$(): !^&'~{}<>=]|\P{ASCII})|(?<end>;)/iuy;

/**
 * Thousands groups written by programs that use the separators of their country: "#.##0,00", "#\ ##0,00", "#'##0.00". Read strictly by
 * the standard, the first one has five decimals.
 */
const foreignGroups = /#(?:\\?[.' \u00a0\u202f])##0(?:[.,](0+))?/g;

/** One section of a format code: the text before and after a number, and the format of the number. */
interface Section {
  before: string;
  after: string;
  /** Factor by which the number is multiplied. */
  factor: number;
  /** Undefined for a section without a number, such as "-" for zero. */
  write?: CellFormat;
}

/**
 * Reads a number format: its digits, separators as in English, percent signs, currencies and other text. Returns undefined for formats
 * without an effect ("General") and for unknown formats, whose numbers are shown as stored.
 *
 * @param code the workbook's own definition of `id`, if there is one
 */
export function parseNumberFormat(id: number, code: string | undefined = builtIn[id]): CellFormat | undefined {
  if (code === undefined || code === "" || code.length > maxCodeCharacters) return undefined;
  const standard = code.replace(foreignGroups, (_, decimals) => (decimals ? `#,##0.${decimals}` : "#,##0"));
  const [positive, negative, zero] = parseSections(standard) ?? [];
  if (positive === undefined) return undefined;
  return (value) => {
    const section = (value < 0 ? negative : value === 0 ? zero : undefined) ?? positive;
    // A section for negative numbers shows the sign itself, for example with parentheses.
    const sign = value < 0 && section === positive ? "-" : "";
    const digits = section.write?.(Number((Math.abs(value) * section.factor).toPrecision(significantDigits))) ?? "";
    return (sign + section.before + digits + section.after).replace(/\s+/g, " ").trim();
  };
}

function parseSections(code: string): Section[] | undefined {
  const sections: Section[] = [];
  let section: Section = { before: "", after: "", factor: 1 };
  for (part.lastIndex = 0; part.lastIndex < code.length; ) {
    const groups = part.exec(code)?.groups;
    if (groups === undefined) return undefined;
    const { quoted, escaped, padding, currency, general, digits, thousands = "", percent, literal, end } = groups;
    if (end !== undefined) {
      sections.push(section);
      section = { before: "", after: "", factor: 1 };
      // The fourth section is for text.
      if (sections.length === 3) return sections;
    } else if (general !== undefined || digits !== undefined) {
      if (section.write !== undefined) return undefined;
      section.write = digits === undefined ? String : parseDigits(digits);
      if (section.write === undefined) return undefined;
      section.factor /= 1_000 ** thousands.length;
    } else {
      if (percent !== undefined) section.factor *= 100;
      const text = quoted ?? escaped ?? currency ?? percent ?? literal ?? (padding && " ") ?? "";
      section[section.write === undefined ? "before" : "after"] += text;
    }
  }
  return [...sections, section];
}

/** "#,##0.00": a zero is a digit that is always shown, and a comma separates thousands. */
function parseDigits(digits: string): CellFormat | undefined {
  const [whole = "", fraction = ""] = digits.split(".");
  const minimumIntegerDigits = whole.match(/0/g)?.length ?? 0;
  // The limits of Intl.NumberFormat.
  if (minimumIntegerDigits > 21 || fraction.length > 100) return undefined;
  const { format } = new Intl.NumberFormat("en-US", {
    minimumIntegerDigits: Math.max(1, minimumIntegerDigits),
    minimumFractionDigits: fraction.lastIndexOf("0") + 1,
    maximumFractionDigits: fraction.length,
    useGrouping: whole.includes(","),
  });
  return minimumIntegerDigits > 0 ? format : (value) => format(value).replace(/^0(?=\.|$)/, "");
}
