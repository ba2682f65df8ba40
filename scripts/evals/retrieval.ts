// npm run eval:retrieval -- <folder> [--qrels train]
// The folder is laid out as in BEIR: corpus.jsonl {_id, title, text}, queries.jsonl {_id, text}, qrels/<split>.tsv (or qrels.tsv)
// with query-id, corpus-id, score. Prints nDCG@10, recall@10 and recall@100 of the service's own search with offline embeddings.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { lexicalEmbedding } from "@agent-backends/llm/offline";
import { z } from "zod";
import type { Hit } from "../../services/knowledge/search/hybrid-search.ts";
import { readJsonLines, requireArgument } from "../json-lines.ts";
import { createOfflineStore } from "./offline-store.ts";

const documentSchema = z.object({ _id: z.coerce.string(), title: z.string().default(""), text: z.string() });
const querySchema = z.object({ _id: z.coerce.string(), text: z.string() });
type Judgements = Map<string, Map<string, number>>;

const documentBatchSize = 500;
const depth = 100;

const { values: options } = parseArgs({
  allowPositionals: true,
  options: { qrels: { type: "string" } },
});
const folder = requireArgument("npm run eval:retrieval -- <folder in BEIR's layout> [--qrels train]");

function readJudgements(folder: string, split: string | undefined): { name: string; judgements: Judgements } {
  const files = existsSync(join(folder, "qrels")) ? readdirSync(join(folder, "qrels")) : [];
  const name = [split && `${split}.tsv`, "test.tsv", "train.tsv", ...files].find(
    (file) => file && files.includes(file),
  );
  const judgements: Judgements = new Map();
  const path = name ? join(folder, "qrels", name) : join(folder, "qrels.tsv");
  for (const line of readFileSync(path, "utf8").split("\n")) {
    const [query = "", document = "", score] = line.split("\t");
    const gain = Number(score);
    // Skips the header, whose score isn't a number, and documents judged not relevant.
    if (!(gain > 0)) continue;
    judgements.set(query, (judgements.get(query) ?? new Map<string, number>()).set(document, gain));
  }
  return { name: name ?? "qrels.tsv", judgements };
}

/** nDCG (Järvelin and Kekäläinen, 2002) with linear gain, like trec_eval. */
function ndcg(ranking: string[], relevant: Map<string, number>, cutoff: number): number {
  const discounted = (gains: number[]) => gains.reduce((sum, gain, rank) => sum + gain / Math.log2(rank + 2), 0);
  const ideal = [...relevant.values()].sort((one, other) => other - one).slice(0, cutoff);
  return discounted(ranking.slice(0, cutoff).map((id) => relevant.get(id) ?? 0)) / discounted(ideal);
}

function recall(ranking: string[], relevant: Map<string, number>, cutoff: number): number {
  return ranking.slice(0, cutoff).filter((id) => relevant.has(id)).length / relevant.size;
}

await using evaluated = await createOfflineStore();
const { namespace, store } = evaluated;
const corpus = readJsonLines(join(folder, "corpus.jsonl"), documentSchema);
const { name, judgements } = readJudgements(folder, options.qrels);
const queries = readJsonLines(join(folder, "queries.jsonl"), querySchema).filter(({ _id }) => judgements.has(_id));

for (let start = 0; start < corpus.length; start += documentBatchSize) {
  const batch = corpus.slice(start, start + documentBatchSize);
  await Promise.all(batch.map((document) => store.add(namespace, toDocument(document))));
}
const sums: Record<string, Record<"nDCG@10" | "recall@10" | "recall@100", number>> = {};
const tally = (way: string, ranking: string[], relevant: Map<string, number>) => {
  sums[way] ??= { "nDCG@10": 0, "recall@10": 0, "recall@100": 0 };
  sums[way]["nDCG@10"] += ndcg(ranking, relevant, 10);
  sums[way]["recall@10"] += recall(ranking, relevant, 10);
  sums[way]["recall@100"] += recall(ranking, relevant, 100);
};
for (const { _id, text: query } of queries) {
  const relevant = judgements.get(_id) ?? new Map<string, number>();
  const hybrid = await evaluated.search(query, depth);
  const question = { words: query, getVector: async () => lexicalEmbedding(query) };
  const alone = async (by: "byMeaning" | "byWords") => {
    const found = await store.search(namespace, question, { limit: depth }, (rankings) => rankings[by]);
    return found.map(({ chunk }) => getId(chunk));
  };
  tally("hybrid", hybrid.map(getId), relevant);
  tally("vectors alone", await alone("byMeaning"), relevant);
  tally("BM25 alone", await alone("byWords"), relevant);
}
process.stdout.write(`${corpus.length} documents, ${queries.length} questions (${name})\n`);
for (const [way, measures] of Object.entries(sums)) {
  const shown = Object.entries(measures).map(([measure, sum]) => `${measure} ${(sum / queries.length).toFixed(4)}`);
  process.stdout.write(`${way.padEnd(14)} ${shown.join("  ")}\n`);
}

function toDocument({ _id, title, text }: z.output<typeof documentSchema>) {
  const searchText = title ? `${title}\n\n${text}` : text;
  const chunk = { index: 0, start: 0, end: text.length, searchText, vector: lexicalEmbedding(searchText) };
  return {
    ...evaluated.createHeader(_id),
    title,
    source: _id,
    chunkCount: 1,
    parts: () => [{ text, chunks: [chunk] }],
  };
}

function getId({ document }: Pick<Hit, "document">): string {
  return document.source;
}
