import { readFileSync } from "node:fs";
import type { z } from "zod";

/** The objects of a file with one JSON object per line. @throws ZodError when one has another shape */
export function readJsonLines<Schema extends z.ZodType>(path: string, schema: Schema): z.output<Schema>[] {
  const lines = readFileSync(path, "utf8").split("\n");
  return lines.filter((line) => line.trim() !== "").map((line) => schema.parse(JSON.parse(line)));
}

/** The first argument of a script. Without one, the script ends and prints how it is called. */
export function requireArgument(usage: string): string {
  const [argument] = process.argv.slice(2);
  if (argument !== undefined && !argument.startsWith("-")) return argument;
  console.error(`usage: ${usage}`);
  process.exit(2);
}
