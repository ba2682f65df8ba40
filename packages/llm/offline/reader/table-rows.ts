/** Splits a row of a Markdown table, or a record of separated values, into cells. The header determines the separator. */
export function splitCells(line: string, header = line): string[] {
  if (!line.includes("|") || !header.includes("|")) return splitValues(line, findSeparator(header));
  const inner = line
    .trim()
    .replace(/^\|/, "")
    .replace(/(?<!\\)\|$/, "");
  return inner.split(/(?<!\\)\|/).map((cell) => cell.trim().replaceAll("\\|", "|"));
}

/** The most frequent separator of a record. Numbers also contain commas. */
const findSeparator = (record: string): string =>
  [";", "\t", ","].reduce((best, next) => (count(record, next) > count(record, best) ? next : best));

function splitValues(line: string, separator: string): string[] {
  const value = new RegExp(`(?:"((?:[^"]|"")*)"|([^${separator}]*))(?:${separator}|$)`, "g");
  const values = [...line.matchAll(value)].map(([, quoted, plain = ""]) =>
    (quoted?.replaceAll('""', '"') ?? plain).trim(),
  );
  // The pattern also matches the empty text at the end.
  return line.endsWith(separator) ? values : values.slice(0, -1);
}

const count = (line: string, separator: string): number => line.split(separator).length - 1;

/** Formats a row as text, each cell with the name of its column: `Item: Tea, Price: 3`. */
export function readCells(row: string, header?: string): string {
  const names = header === undefined ? [] : splitCells(header);
  const cells = splitCells(row, header).map((cell, column) => {
    const name = names[column] ?? "";
    return cell === "" || cell === name ? cell : name === "" ? cell : `${name}: ${cell}`;
  });
  return cells.filter((cell) => cell !== "").join(" · ");
}
