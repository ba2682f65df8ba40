import { EmbeddingMismatchError } from "../errors.ts";
import type { Question, RankedChunk, Rankings, SearchScope } from "../knowledge-store.ts";
import { OutdatedRankingError, rankByMeaning, rankByWords, readRows, rowIdOf } from "./chunk-queries.ts";
import { searchWhole } from "./document-parts.ts";
import { conditionOf } from "./filter.ts";
import type { NamespaceTable } from "./namespace-table.ts";
import { withoutRepetition } from "./query-words.ts";
import type { ChunkRow } from "./rows.ts";
import { placeOf } from "./rows.ts";
import type { SmallTable } from "./small-table.ts";
import type { TableState, TableStates } from "./table-states.ts";

/** Of a search that meets changes of its table; each finds what the table holds by then. */
const attemptsAtMost = 8;

/** A chunk that was chosen, and the row that it was read from. */
interface Found<Chosen> {
  chosen: Chosen;
  row: ChunkRow;
}

interface TableSearch<Chosen extends RankedChunk> {
  question: Question;
  scope: SearchScope;
  choose(rankings: Rankings): Chosen[];
  /** Makes a ranking when it is the caller's turn. */
  inTurn: InTurn;
}

type InTurn = <Result>(rank: () => Promise<Result>) => Promise<Result>;

/** Searches a table: its chunks are ranked, and those that are chosen are read. @throws EmbeddingMismatchError */
export async function searchTable<Chosen extends RankedChunk>(
  opened: NamespaceTable,
  states: TableStates,
  search: TableSearch<Chosen>,
): Promise<Found<Chosen>[]> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const state = await states.of(opened);
      // The engine alone knows what a filter says, and what a table holds that changes faster than it is read.
      const isForEngine = attempt > 1 || conditionOf(search.scope.filter) !== undefined;
      const small = isForEngine ? undefined : await state.small?.();
      return small ? await inMemory(opened, { ...search, state, small }) : await inEngine(opened, { ...search, state });
    } catch (error) {
      if (!(error instanceof OutdatedRankingError) || attempt === attemptsAtMost) throw error;
    }
  }
}

async function inMemory<Chosen extends RankedChunk>(
  { table, namespace }: NamespaceTable,
  {
    question,
    scope: { limit },
    choose,
    inTurn,
    state,
    small,
  }: TableSearch<Chosen> & { state: TableState; small: SmallTable },
): Promise<Found<Chosen>[]> {
  const [byMeaning, byWords] = await Promise.all([
    vectorOf(namespace, question, state).then((vector) => (vector ? small.nearest(vector, limit) : [])),
    wordsOf(question).then((words) => inTurn(() => rankByWords(table, words, { limit, condition: undefined }))),
  ]);
  // Words are looked up by the engine, in the table as it is by then.
  if (!byWords.every((ranked) => small.has(rowIdOf(ranked)))) throw new OutdatedRankingError();
  const rankings = { byMeaning, byWords, embedding: state.column };
  return choose(rankings).map((chosen) => ({ chosen, row: small.row(rowIdOf(chosen)) }));
}

async function inEngine<Chosen extends RankedChunk>(
  opened: NamespaceTable,
  { question, scope, choose, inTurn, state }: TableSearch<Chosen> & { state: TableState },
): Promise<Found<Chosen>[]> {
  const { table, namespace } = opened;
  const { column, rows } = state;
  const vector = vectorOf(namespace, question, state);
  const words = wordsOf(question);
  return searchWhole(opened, async (isWhole) => {
    const conditions = [conditionOf(scope.filter), isWhole].filter((one) => one !== undefined);
    const ranked = { limit: scope.limit, condition: conditions.join(" AND ") || undefined };
    const [byMeaning, byWords] = await Promise.all([
      vector.then((asked) =>
        asked ? inTurn(() => rankByMeaning(table, { column, rows, vector: asked }, ranked)) : [],
      ),
      words.then((asked) => inTurn(() => rankByWords(table, asked, ranked))),
    ]);
    const chosen = choose({ byMeaning, byWords, embedding: column });
    const read = await readRows(table, chosen.map(rowIdOf));
    return read.map((row, position) => ({ chosen: chosen[position] as Chosen, row, ...placeOf(row) }));
  });
}

const wordsOf = async ({ words = "" }: Question): Promise<string> => (words === "" ? "" : withoutRepetition(words));

/** @throws EmbeddingMismatchError */
async function vectorOf(
  namespace: string,
  question: Question,
  { column: { model, dimension } }: TableState,
): Promise<Float32Array | undefined> {
  const vector = await question.vectorOf?.({ model, dimension });
  if (vector && vector.length !== dimension) {
    throw new EmbeddingMismatchError(namespace, { model, dimension }, { model, dimension: vector.length });
  }
  return vector;
}
