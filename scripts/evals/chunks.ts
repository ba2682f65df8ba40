// npm run eval:chunks -- <folder> [--max 1600] [--min 200]
// The folder holds corpora/<name>.md and questions.jsonl: {_id, text, corpus, references: [{content, start_index, end_index}]} with
// offsets in Unicode code points. Prints the share of the references that the first chunks found by the service contain.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { lexicalEmbedding } from "@agent-backends/llm/offline";
import { z } from "zod";
import { chunkText, defaultChunkOptions, embeddingText } from "../../services/knowledge/ingest/chunk.ts";
import { readMarkdown } from "../../services/knowledge/ingest/extract/formats/markdown.ts";
import { normaliseText } from "../../services/knowledge/ingest/normalise.ts";
import { readJsonLines, requireArgument } from "../json-lines.ts";
import { createOfflineStore } from "./offline-store.ts";

const questionSchema = z.object({
  text: z.string(),
  corpus: z.string(),
  references: z.array(z.object({ content: z.string(), start_index: z.int(), end_index: z.int() })),
});
const cutoffs = [5, 10];

const { values: options } = parseArgs({
  allowPositionals: true,
  options: { max: { type: "string" }, min: { type: "string" } },
});
const folder = requireArgument("npm run eval:chunks -- <folder with corpora/ and questions.jsonl> [--max N] [--min N]");
const chunkOptions = {
  ...defaultChunkOptions,
  ...(options.max && { maxCharacters: Number(options.max) }),
  ...(options.min && { minCharacters: Number(options.min) }),
};

/**
 * The range of a reference in the stored text, in UTF-16 code units. If it occurs several times, the occurrence nearest to its position in
 * the file.
 */
function findPlace(text: string, file: string[], reference: { start_index: number; end_index: number }) {
  const content = normaliseText(file.slice(reference.start_index, reference.end_index).join(""));
  const about = file.slice(0, reference.start_index).join("").length;
  let start = -1;
  for (let found = text.indexOf(content); found >= 0; found = text.indexOf(content, found + 1)) {
    if (start < 0 || Math.abs(found - about) < Math.abs(start - about)) start = found;
  }
  return start < 0 ? undefined : { start, end: start + content.length };
}

await using evaluated = await createOfflineStore();
const files = new Map<string, { characters: string[]; text: string }>();
const lengths: number[] = [];
for (const name of readdirSync(join(folder, "corpora"))) {
  const content = readFileSync(join(folder, "corpora", name), "utf8");
  const document = readMarkdown(content);
  files.set(name.replace(/\.\w+$/, ""), { characters: Array.from(content), text: document.text });
  const title = document.title ?? name;
  const chunks = chunkText(document, chunkOptions).map((chunk) => {
    lengths.push(chunk.end - chunk.start);
    const searchText = embeddingText(chunk, title);
    return { ...chunk, searchText, vector: lexicalEmbedding(searchText) };
  });
  const source = name.replace(/\.\w+$/, "");
  const header = { ...evaluated.createHeader(document.text), title, source, chunkCount: chunks.length };
  const parts = () => [{ text: document.text, chunks }];
  await evaluated.store.add(evaluated.namespace, { ...header, parts });
}

const questions = readJsonLines(join(folder, "questions.jsonl"), questionSchema);
const shares = cutoffs.map(() => 0);
let asked = 0;
for (const { text: query, corpus, references } of questions) {
  const file = files.get(corpus);
  if (!file) continue;
  const places = references.flatMap((reference) => findPlace(file.text, file.characters, reference) ?? []);
  if (places.length === 0) continue;
  asked += 1;
  const hits = await evaluated.search(query, Math.max(...cutoffs));
  for (const [position, cutoff] of cutoffs.entries()) {
    const found = hits.slice(0, cutoff).filter(({ document }) => document.source === corpus);
    shares[position] = (shares[position] ?? 0) + shareCovered(places, found);
  }
}
const mean = lengths.reduce((sum, length) => sum + length, 0) / lengths.length;
process.stdout.write(
  `${lengths.length} chunks, ${mean.toFixed(0)} characters on average, at most ${Math.max(...lengths)}; ${asked} questions\n`,
);
for (const [position, cutoff] of cutoffs.entries()) {
  process.stdout.write(
    `share of the reference in the first ${cutoff}: ${((shares[position] ?? 0) / asked).toFixed(4)}\n`,
  );
}

/** Share of the references' characters that at least one chunk covers. Each character counts once. */
function shareCovered(places: { start: number; end: number }[], chunks: { start: number; end: number }[]): number {
  const wanted = new Set<number>();
  for (const { start, end } of places) for (let at = start; at < end; at++) wanted.add(at);
  let covered = 0;
  for (const at of wanted) if (chunks.some(({ start, end }) => at >= start && at < end)) covered += 1;
  return covered / wanted.size;
}
