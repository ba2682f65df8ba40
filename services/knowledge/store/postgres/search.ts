import type { FoundChunk } from "../document.ts";
import { makeVector } from "../embeddings.ts";
import type { ChosenChunk, RankedChunk, SearchInTurn } from "../knowledge-store.ts";
import { toQuestionTerms } from "../terms.ts";
import type { ChunkRow, DocumentRow } from "./chunk-rows.ts";
import { toFoundChunk, toHeader } from "./chunk-rows.ts";
import type { Database, Query } from "./database/database.ts";
import type { StoredNamespace } from "./namespaces.ts";
import { readNamespace } from "./namespaces.ts";
import { rankByMeaning, rankByWords, readOrdinarySimilarity } from "./rankings.ts";

/** Maximum number of attempts at a search whose namespace gets other vectors, or is deleted and recreated, in the meantime. */
const maxAttempts = 4;

/** Ranks the chunks of a namespace and reads the chosen ones, in one state of the database. @throws EmbeddingMismatchError */
export async function searchNamespace<Chosen extends RankedChunk>(
  database: Database,
  namespace: string,
  { question, scope, choose, inTurn }: SearchInTurn<Chosen>,
): Promise<ChosenChunk<Chosen>[]> {
  for (let attempt = 1; ; attempt += 1) {
    const stored = await readNamespace(database.query, namespace);
    if (!stored) return [];
    const vector = await makeVector(namespace, question, stored.embedding);
    const asked = { vector, terms: toQuestionTerms(question.words ?? "", stored.languages) };
    const found = await inTurn(() =>
      database.transaction((query) => rankAndRead(query, stored, asked, namespace, { scope, choose }), {
        isSnapshot: true,
        settings: searchSettings,
      }),
    );
    if (found) return found;
    if (attempt === maxAttempts) throw new Error(`Namespace "${namespace}" kept changing during a search.`);
  }
}

/**
 * An index scan continues until it has found as many chunks as requested, even if few meet the filter. Tables and joins are read by
 * index, because the planner doesn't know how few rows a namespace has.
 */
const searchSettings = {
  "hnsw.iterative_scan": "relaxed_order",
  "hnsw.ef_search": "100",
  "hnsw.max_scan_tuples": "40000",
  "hnsw.scan_mem_multiplier": "4",
  enable_seqscan: "off",
  // Compiling a statement takes longer than running it.
  jit: "off",
};

/** @returns undefined if the namespace has changed since the question's vector was computed */
async function rankAndRead<Chosen extends RankedChunk>(
  query: Query,
  stored: StoredNamespace,
  { vector, terms }: { vector: Float32Array | undefined; terms: readonly string[] },
  namespace: string,
  { scope, choose }: Pick<SearchInTurn<Chosen>, "scope" | "choose">,
): Promise<ChosenChunk<Chosen>[] | undefined> {
  const [current, byMeaning, byWords, ordinarySimilarity] = await Promise.all([
    readNamespace(query, namespace),
    vector ? rankByMeaning(query, stored, vector, scope) : [],
    rankByWords(query, stored.id, terms, scope),
    vector ? readOrdinarySimilarity(query, stored, vector) : 0,
  ]);
  if (current?.id !== stored.id || current.embedding.id !== stored.embedding.id) return undefined;
  const { model, dimension } = stored.embedding;
  const chosen = choose({ byMeaning, byWords, ordinarySimilarity, embedding: { model, dimension } });
  const chunks = await readChosen(query, chosen);
  return chosen.map((one, position) => ({ chosen: one, chunk: chunks[position] as FoundChunk }));
}

async function readChosen(query: Query, chosen: readonly RankedChunk[]): Promise<FoundChunk[]> {
  if (chosen.length === 0) return [];
  const keys = chosen.map(({ key }) => String(key).split(" "));
  const { rows } = await query<ChunkRow & Pick<DocumentRow, "hash" | "ingested_at" | "source_json">>(
    `SELECT place_json, search_text, hash, ingested_at, source_json
     FROM unnest($1::bigint[], $2::integer[]) WITH ORDINALITY AS wanted (pk, number, position)
     JOIN chunks ON document_pk = wanted.pk AND chunk = number
     JOIN documents ON documents.pk = wanted.pk
     ORDER BY position`,
    [keys.map(([pk]) => pk), keys.map(([, chunk]) => chunk)],
  );
  return rows.map((row) => toFoundChunk(row, toHeader(row)));
}
