import { isTitle, maxHeaderCharacters, maxTitleRows } from "./tables.ts";

/** Maximum number of rows below an empty one to look at. */
const maxGroupRows = 25;

/**
 * Keeps of a sheet's empty rows those above which one table ends and another begins, with or without a title: its first row has names
 * for columns of numbers. Other empty rows only separate groups of rows.
 */
export function* splitTables(rows: Iterable<string[]>): Generator<string[], void, undefined> {
  let hasTable = false;
  /** The rows below an empty one, until it is clear whether they begin a table. */
  let group: string[][] | undefined;
  const endGroup = () => {
    const ended = group ?? [];
    const split = hasTable && beginsTable(ended) ? [[], ...ended] : ended;
    hasTable ||= !ended.every((row) => isTitle(row));
    group = undefined;
    return split;
  };
  for (const row of rows) {
    if (row.length === 0) {
      // Titles belong to what is below them.
      if (group?.every((title) => isTitle(title))) continue;
      yield* endGroup();
      group = [];
    } else if (group === undefined) {
      hasTable ||= !isTitle(row);
      yield row;
    } else if (group.push(row) === maxGroupRows) yield* endGroup();
  }
  yield* endGroup();
}

function beginsTable(group: readonly string[][]): boolean {
  const top = group.findIndex((row) => !isTitle(row));
  if (top < 0 || top > maxTitleRows) return false;
  const [names = [], ...below] = group.slice(top);
  return (
    names.every(
      (cell) => cell === "" || (cell.length <= maxHeaderCharacters && /^\P{Nd}*\p{L}{2}\P{Nd}*$/u.test(cell)),
    ) &&
    names.some((name, column) => {
      const values = below.map((row) => row[column] ?? "").filter((cell) => cell !== "");
      return name !== "" && values.length > 0 && values.every((cell) => /\p{Nd}/u.test(cell));
    })
  );
}
