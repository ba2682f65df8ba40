import { openAsBlob, readdirSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { TestedService } from "../documents/service.ts";
import { readJsonLines } from "../json-lines.ts";

const questionSchema = z.object({
  id: z.string(),
  question: z.string(),
  language: z.string(),
  answerable: z.boolean(),
  /** Names of the files that contain the answer. */
  documents: z.array(z.string()).default([]),
  /** An answer must contain one text of each group. */
  answer: z.array(z.array(z.string())).default([]),
  /** The text in the document that contains the answer. */
  passage: z.string().default(""),
  /** Whether the documents are in another language. */
  cross: z.boolean().default(false),
  place: z
    .object({
      page: z.int().optional(),
      slide: z.int().optional(),
      sheet: z.string().optional(),
      heading: z.string().optional(),
    })
    .optional(),
});
export type LabelledQuestion = z.output<typeof questionSchema>;

/** Reads the questions of a folder with `docs/` and `questions.jsonl`. */
export const readQuestions = (folder: string): LabelledQuestion[] =>
  readJsonLines(join(folder, "questions.jsonl"), questionSchema);

/** Ingests the files in a folder's `docs/`. Prints errors. */
export async function ingestDocuments({ client }: TestedService, folder: string, namespace: string): Promise<void> {
  for (const file of readdirSync(join(folder, "docs"))) {
    const content = await openAsBlob(join(folder, "docs", file));
    const { errors } = await client.ingest({ namespace, files: [{ name: file, content }] });
    for (const { error } of errors) console.log(`${file}: ${error}`);
  }
}

/** Whether a text contains a text of each group. A number doesn't match inside a longer number. */
export function hasAnswer(text: string, answer: readonly string[][]): boolean {
  const body = simplify(text.replaceAll(/\[\d+\]/g, " "));
  return answer.every((group) => group.some((wanted) => findWhole(body, simplify(wanted))));
}

function findWhole(body: string, wanted: string): boolean {
  for (let at = body.indexOf(wanted); at >= 0; at = body.indexOf(wanted, at + 1)) {
    const goesOn = /^\d/.test(wanted) && /\d$|(?<![\d.,/])\d{1,3}[.,]$/.test(body.slice(0, at));
    const endsInside =
      /\d$/.test(wanted) && /^\d|^[.,](?!00(?!\d))\d{1,3}(?![\d.,])/.test(body.slice(at + wanted.length));
    if (!goesOn && !endsInside) return true;
  }
  return false;
}

export const simplify = (text: string): string =>
  text
    .normalize("NFKC")
    .toLowerCase()
    .replaceAll(/[٠-٩]/g, (digit) => String((digit.codePointAt(0) ?? 0) & 0xf))
    .replaceAll(/[\u0640\u064b-\u0652]/g, "")
    .replaceAll(/[‐-―−]/g, "-")
    .replaceAll(/[‘’]/g, "'")
    .replaceAll(/[\s*_|`]+/g, " ")
    .trim();
