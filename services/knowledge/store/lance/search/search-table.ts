import { setImmediate as nextTurn } from "node:timers/promises";
import { makeVector } from "../../embeddings.ts";
import type { ChosenChunk, RankedChunk, SearchInTurn } from "../../knowledge-store.ts";
import { toQuestionTerms } from "../../terms.ts";
import { searchWhole } from "../documents/uploads.ts";
import { parsePlace, toChunk } from "../table/rows.ts";
import type { TableHandle } from "../table/table-handle.ts";
import { toCondition } from "./filter.ts";
import type { MemoryTable } from "./memory-table.ts";
import { OutdatedRankingError, rankByMeaning, rankByWords, readRows, toQuestionWords } from "./rankings.ts";
import type { TableState, TableStates } from "./table-states.ts";

/** Maximum number of attempts at a search whose table changes in the meantime. */
const maxAttempts = 8;

/** Ranks the chunks of a table and reads the chosen ones. @throws EmbeddingMismatchError */
export async function searchTable<Chosen extends RankedChunk>(
  handle: TableHandle,
  states: TableStates,
  search: SearchInTurn<Chosen>,
): Promise<ChosenChunk<Chosen>[]> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      const state = await states.get(handle);
      // The provider embeds the question while the table is read. If reading fails, nobody waits for the vector.
      const vector = makeVector(handle.namespace, search.question, state.column);
      vector.catch(() => undefined);
      // Retry with the engine, which keeps up even with a table that changes faster than it can be read into memory.
      const client = search.scope.caller?.client ?? "";
      const memory = attempt > 1 ? undefined : await states.getMemoryTable(handle, state, client);
      if (memory) return await searchMemory(memory, state, vector, search);
      const found = await searchEngine(handle, state, vector, search);
      // Not before: both would share the processor, and the first search would take several times as long.
      states.readLater(handle, state, client);
      return found;
    } catch (error) {
      if (!(error instanceof OutdatedRankingError) || attempt === maxAttempts) throw error;
    }
  }
}

async function searchMemory<Chosen extends RankedChunk>(
  memory: MemoryTable,
  state: TableState,
  asked: Promise<Float32Array | undefined>,
  { question, scope: { limit, filter }, choose, inTurn }: SearchInTurn<Chosen>,
): Promise<ChosenChunk<Chosen>[]> {
  const terms = toQuestionTerms(question.words ?? "", state.languages);
  const vector = await asked;
  const rankings = await inTurn(async () => {
    // Ranking blocks the event loop for up to some milliseconds, so the rankings of many searches must not run in one turn.
    await nextTurn();
    return memory.rank({ vector, terms, filter, limit });
  });
  const ordinarySimilarity = vector ? await state.sample.getOrdinarySimilarity(vector, memory) : 0;
  const chosen = choose({ ...rankings, ordinarySimilarity, embedding: state.column });
  return chosen.map((one) => ({ chosen: one, chunk: toChunk(memory.getRow(Number(one.key))) }));
}

async function searchEngine<Chosen extends RankedChunk>(
  { table }: TableHandle,
  state: TableState,
  vector: Promise<Float32Array | undefined>,
  { question, scope, choose, inTurn }: SearchInTurn<Chosen>,
): Promise<ChosenChunk<Chosen>[]> {
  const { column, rows } = state;
  const words = toQuestionWords(question.words ?? "", state);
  const filter = toCondition(scope.filter);
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
