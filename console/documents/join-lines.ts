/** A line shorter than this part of a full one ends where it does because its author wanted it to. */
const minFullLinePart = 0.5;
/** Lines with fewer characters are rows of a form or a table rather than prose that was broken. */
const minTypesetLength = 30;

/** What begins a line of its own: a heading, a table's row, a quote or a list's item. */
const structure = /^\s*([#|>]|[-*+•–]\s|\(?(\d{1,3}|\p{L})[.)]\s)/u;

/**
 * Joins the lines that a typesetter broke: PDF files tell lines, not paragraphs. Each line break becomes a space or stays, so
 * that offsets hold in the joined text, too.
 */
export function joinLines(text: string): string {
  return text.replace(/[^\n]+(\n[^\n]+)+/g, (paragraph) => {
    const lines = paragraph.split("\n");
    const minLength = Math.max(minTypesetLength, fullLineLength(lines) * minFullLinePart);
    return lines.reduce((joined, line, index) => {
      const before = lines[index - 1] ?? "";
      const isStructure = structure.test(line) || /^\s*[#|]/.test(before) || areRecords(before, line);
      const isBroken = before.length >= minLength && !isStructure;
      return joined + (isBroken ? " " : "\n") + line;
    });
  });
}

/** About the third quartile of the lines' lengths: the longest may be several, where divided words were put together again. */
function fullLineLength(lines: readonly string[]): number {
  const lengths = lines.map(({ length }) => length).sort((a, b) => a - b);
  return lengths[Math.round((lengths.length - 1) * 0.7)] ?? 0;
}

/** What separates the fields of a CSV or TSV file; not a comma in a number, nor what a space follows. */
const separator = /[;\t](?=\S)|(?<!\d),(?=\S)|,(?=[^\s\d])/g;

/** Whether two lines look like records of one table: they have as many fields. */
function areRecords(one: string, other: string): boolean {
  const count = one.match(separator)?.length;
  return count !== undefined && count === other.match(separator)?.length;
}
