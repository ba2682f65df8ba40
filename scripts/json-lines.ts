import { readFileSync } from "node:fs";
import type { z } from "zod";

/** Reads a file with one JSON object per line. @throws ZodError if one has another shape */
export function readJsonLines<Schema extends z.ZodType>(path: string, schema: Schema): z.output<Schema>[] {
  const lines = readFileSync(path, "utf8").split("\n");
  return lines.filter((line) => line.trim() !== "").map((line) => schema.parse(JSON.parse(line)));
}

/** The first argument of a script. Without one, prints the usage and exits. */
export function requireArgument(usage: string): string {
  const [argument] = process.argv.slice(2);
  if (argument !== undefined && !argument.startsWith("-")) return argument;
  console.error(`usage: ${usage}`);
  process.exit(2);
}

/** A difference between a row's expectation and its outcome. */
interface Mistake {
  /** Name of the row, and what differs. */
  what: string;
  expected: unknown;
  got: unknown;
}

/** Prints every mistake, and the share of right rows in each group. The process exits with 1 if the share is below `minShare`. */
export async function judgeRows<Row>(
  rows: readonly Row[],
  options: { minShare: number; group: (row: Row) => string; judge: (row: Row) => Promise<Mistake | undefined> },
): Promise<void> {
  const groups = new Map<string, { right: number; all: number }>();
  let right = 0;
  for (const row of rows) {
    const mistake = await options.judge(row);
    const isRight = mistake === undefined;
    const name = options.group(row);
    const group = groups.get(name) ?? { right: 0, all: 0 };
    groups.set(name, { right: group.right + Number(isRight), all: group.all + 1 });
    right += Number(isRight);
    if (isRight) continue;
    console.log(`wrong ${mistake.what}`);
    console.log(`      expected ${JSON.stringify(mistake.expected)}`);
    console.log(`      got      ${JSON.stringify(mistake.got)}`);
  }
  for (const [name, group] of groups) console.log(`${name.padEnd(14)} ${group.right}/${group.all}`);
  console.log(`${right} of ${rows.length} right = ${((100 * right) / rows.length).toFixed(1)} %`);
  process.exitCode = right >= options.minShare * rows.length ? 0 : 1;
}
