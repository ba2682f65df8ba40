/** Minimum length of a wrapped line, as a share of a full line. A shorter line was ended by its author. */
const minFullLinePart = 0.5;
/** Shorter lines are rows of a form or a table rather than wrapped prose. */
const minTypesetLength = 30;

/** The beginning of a heading, a table row, a quote or a list item. */
const structure = /^\s*([#|>]|[-*+•–]\s|\(?(\d{1,3}|\p{L})[.)]\s)/u;

/**
 * Joins wrapped lines: PDF files store lines, not paragraphs. A line break becomes a space or stays, so that offsets are
 * the same in the joined text.
 */
export function joinLines(text: string): string {
  return text.replace(/[^\n]+(\n[^\n]+)+/g, (paragraph) => {
    const lines = paragraph.split("\n");
    const minLength = Math.max(minTypesetLength, estimateLineLength(lines) * minFullLinePart);
    return lines.reduce((joined, line, index) => {
      const before = lines[index - 1] ?? "";
      const isStructure = structure.test(line) || /^\s*[#|]/.test(before) || areRecords(before, line);
      const isBroken = before.length >= minLength && !isStructure;
      return joined + (isBroken ? " " : "\n") + line;
    });
  });
}

/** The 70th percentile of the lengths. The longest lines may be several lines joined by removing hyphens. */
function estimateLineLength(lines: readonly string[]): number {
  const lengths = lines.map(({ length }) => length).sort((a, b) => a - b);
  return lengths[Math.round((lengths.length - 1) * 0.7)] ?? 0;
}

/** A field separator of CSV or TSV, except a comma within a number or a separator followed by a space. */
const separator = /[;\t](?=\S)|(?<!\d),(?=\S)|,(?=[^\s\d])/g;

/** Whether two lines look like records of a table, because they have the same number of fields. */
function areRecords(one: string, other: string): boolean {
  const count = one.match(separator)?.length;
  return count !== undefined && count === other.match(separator)?.length;
}
