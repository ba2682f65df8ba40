import { existsSync } from "node:fs";
import { join } from "node:path";
import type { IngestResponse, SearchResponse } from "@agent-backends/client";
import { z } from "zod";
import { readJsonLines } from "../json-lines.ts";

const fragmentSchema = z.object({
  text: z.string(),
  page: z.number().optional(),
  slide: z.number().optional(),
  sheet: z.string().optional(),
});

/** A document and the expectations for it. Paths are relative to the manifest's folder. */
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
    /** A failure is acceptable. */
    optional: z.boolean().default(false),
  }),
});

type Fragment = z.output<typeof fragmentSchema>;
export type DocumentRow = z.output<typeof rowSchema>;

/** Reads the rows of a folder's `manifest.jsonl` whose files exist. */
export function readManifest(folder: string): DocumentRow[] {
  return readJsonLines(join(folder, "manifest.jsonl"), rowSchema).filter(({ file }) => existsSync(join(folder, file)));
}

/** The result of ingesting a file. */
export interface Outcome {
  response: IngestResponse;
  /** The stored text, if the file was saved. */
  text?: string;
  chunksFor(fragment: string): Promise<SearchResponse["results"]>;
}

/** Normalises fragments and texts for comparison: compatibility forms, case and white space don't matter. */
const toComparable = (text: string): string => text.normalize("NFKC").toLowerCase().replace(/\s+/g, " ").trim();

const withoutSpaces = (text: string): string => toComparable(text).replaceAll(" ", "");

/** Lists what is wrong with an outcome. Empty if it meets the row's expectation. */
export async function findFaults({ expect }: DocumentRow, outcome: Outcome): Promise<string[]> {
  const { errors } = outcome.response;
  const faults: string[] = [];
  const code = errors[0]?.code;
  const isSaved = outcome.text !== undefined;
  const { outcome: wanted, reason } = expect;
  if (wanted === "text" && !isSaved) faults.push(`not saved: ${code} ${errors[0]?.error}`);
  if (["no_text", "empty", "error"].includes(wanted) && isSaved) faults.push("was saved");
  if (wanted === "no_text" || wanted === "empty") {
    if (code !== "no_text" && code !== "empty") faults.push(`code ${code}`);
  }
  if (wanted === "error" && reason === "encrypted" && code !== "encrypted") faults.push(`code ${code}`);
  if (!isSaved && (code === "not_stored" || code === "provider_failed")) faults.push(`code ${code}`);
  const text = toComparable(outcome.text ?? "");
  if (isSaved) {
    for (const fragment of expect.must_contain) faults.push(...(await findFragmentFaults(fragment, text, outcome)));
  }
  for (const unwanted of expect.must_not_contain) {
    if (text.includes(toComparable(unwanted))) faults.push(`holds ${JSON.stringify(unwanted)}`);
  }
  return faults;
}

async function findFragmentFaults(fragment: Fragment, text: string, outcome: Outcome): Promise<string[]> {
  const { text: words, ...place } = fragment;
  if (!text.includes(toComparable(words))) return [`lacks ${JSON.stringify(words)}`];
  if (Object.keys(place).length === 0) return [];
  const chunks = await outcome.chunksFor(words);
  const there = chunks.filter(({ metadata }) =>
    Object.entries(place).every(([name, value]) => metadata[name as keyof typeof metadata] === value),
  );
  // A fragment may span several chunks.
  const joined = there.sort((one, other) => one.metadata.chunk - other.metadata.chunk).map(({ content }) => content);
  if (withoutSpaces(joined.join("")).includes(withoutSpaces(words))) return [];
  return [`lacks ${JSON.stringify(words)} at ${JSON.stringify(place)}`];
}
