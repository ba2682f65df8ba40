import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

const fragmentSchema = z.object({
  text: z.string(),
  page: z.number().optional(),
  slide: z.number().optional(),
  sheet: z.string().optional(),
});

/** One document and what is expected of it. Paths are relative to the manifest's folder. */
const rowSchema = z.object({
  id: z.string(),
  file: z.string(),
  expect: z.object({
    outcome: z.enum([
      "text",
      "no_text",
      "empty",
      "error",
      "error_or_text",
      "error_or_partial",
      "error_or_no_text",
      "error_or_empty",
      "error_or_limited",
    ]),
    reason: z.string().optional(),
    must_contain: z.array(fragmentSchema).default([]),
    must_not_contain: z.array(z.string()).default([]),
    /** Passing is a bonus. */
    optional: z.boolean().default(false),
  }),
});

export type Fragment = z.output<typeof fragmentSchema>;
export type DocumentRow = z.output<typeof rowSchema>;

/** The rows of `manifest.jsonl` in a folder whose files are there. */
export function readManifest(folder: string): DocumentRow[] {
  return readFileSync(join(folder, "manifest.jsonl"), "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => rowSchema.parse(JSON.parse(line)));
}
