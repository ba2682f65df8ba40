import { setImmediate as nextTurn } from "node:timers/promises";
import type { FoundChunk } from "../../document.ts";
import { EmbeddingMismatchError } from "../../errors.ts";
import type { Question, RankedChunk, Rankings, SearchScope } from "../../knowledge-store.ts";
import { searchWhole } from "../documents/uploads.ts";
import { parsePlace, toChunk } from "../table/rows.ts";
import type { TableHandle } from "../table/table-handle.ts";
import { toCondition } from "./filter.ts";
import { toQuestionWords } from "./question-words.ts";
import { OutdatedRankingError, rankByMeaning, rankByWords, readRows, toRowId } from "./rankings.ts";
import type { SmallTable } from "./small-table.ts";
import type { TableState, TableStates } from "./table-states.ts";

/** Attempts at a search whose table changes meanwhile. */
const maxAttempts = 8;

interface Found<Chosen> {
  chosen: Chosen;
  chunk: FoundChunk;
}

interface TableSearch<Chosen extends RankedChunk> {
  question: Question;
  scope: SearchScope;
  choose(rankings: Rankings): Chosen[];
  /** Makes a ranking when it is the caller's turn. */
  inTurn<Result>(rank: () => Promise<Result>): Promise<Result>;
}

/** Ranks the chunks of a table and reads the chosen ones. @throws EmbeddingMismatchError */
export async function searchTable<Chosen extends RankedChunk>(
  handle: TableHandle,
  states: TableStates,
  search: TableSearch<Chosen>,
): Promise<Found<Chosen>[]> {
  const filter = toCondition(search.scope.filter);
  for (let attempt = 1; ; attempt += 1) {
    try {
      const state = await states.get(handle);
      // Only the engine evaluates filters, and keeps up with a table that changes faster than it can be read into memory.
      const needsEngine = attempt > 1 || filter !== undefined;
      const small = needsEngine ? undefined : await state.readSmallTable?.(search.scope.caller?.client ?? "");
      return small
        ? await searchMemory(handle, small, state, search)
        : await searchEngine(handle, state, filter, search);
    } catch (error) {
      if (!(error instanceof OutdatedRankingError) || attempt === maxAttempts) throw error;
    }
  }
}

async function searchMemory<Chosen extends RankedChunk>(
  { table, namespace }: TableHandle,
  small: SmallTable,
  state: TableState,
  { question, scope: { limit }, choose, inTurn }: TableSearch<Chosen>,
): Promise<Found<Chosen>[]> {
  const words = toQuestionWords(question.words ?? "", state);
  const [nearest, byWords] = await Promise.all([
    makeVector(namespace, question, state).then((vector) => (vector ? inTurn(() => findNearest(vector)) : noneNearest)),
    inTurn(() => rankByWords(table, words, { limit, condition: undefined })),
  ]);
  async function findNearest(vector: Float32Array) {
    // Takes milliseconds of the event loop, so that those of many searches must not follow each other in one turn.
    await nextTurn();
    return small.findNearest(vector, limit);
  }
  // The engine looks words up in the table as it is by then.
  if (!byWords.every((ranked) => small.has(toRowId(ranked)))) throw new OutdatedRankingError();
  const rankings = { ...nearest, byWords, embedding: state.column };
  return choose(rankings).map((chosen) => ({ chosen, chunk: toChunk(small.getRow(toRowId(chosen))) }));
}

async function searchEngine<Chosen extends RankedChunk>(
  { table, namespace }: TableHandle,
  state: TableState,
  filter: string | undefined,
  { question, scope, choose, inTurn }: TableSearch<Chosen>,
): Promise<Found<Chosen>[]> {
  const { column, rows } = state;
  const vector = makeVector(namespace, question, state);
  const words = toQuestionWords(question.words ?? "", state);
  const found = await searchWhole(table, async (isWhole) => {
    const conditions = [filter, isWhole].filter((one) => one !== undefined);
    const ranked = { limit: scope.limit, condition: conditions.join(" AND ") || undefined };
    const [byMeaning, byWords] = await Promise.all([
      vector.then((asked) =>
        asked ? inTurn(() => rankByMeaning(table, { column, rows, vector: asked }, ranked)) : [],
      ),
      inTurn(() => rankByWords(table, words, ranked)),
    ]);
    const asked = await vector;
    const ordinarySimilarity = asked ? await state.sample.getOrdinarySimilarity(asked) : 0;
    const chosen = choose({ byMeaning, byWords, ordinarySimilarity, embedding: column });
    const read = await readRows(table, chosen);
    return read.map((row, position) => ({ chosen: chosen[position] as Chosen, row, ...parsePlace(row) }));
  });
  return found.map(({ chosen, row }) => ({ chosen, chunk: toChunk(row) }));
}

const noneNearest = { byMeaning: [], ordinarySimilarity: 0 };

/** @throws EmbeddingMismatchError */
async function makeVector(
  namespace: string,
  question: Question,
  { column: { model, dimension } }: Pick<TableState, "column">,
): Promise<Float32Array | undefined> {
  const vector = await question.vectorOf?.({ model, dimension });
  if (vector && vector.length !== dimension) {
    throw new EmbeddingMismatchError(namespace, { model, dimension }, { model, dimension: vector.length });
  }
  return vector;
}
