import { join } from "node:path";
import { rootDirectory } from "../../harness/paths.ts";
import { memory } from "../../harness/processes.ts";
import { median, search as searchOnce } from "../client.ts";
import { createRandom, makeQuestion } from "../corpus.ts";
import { fillNamespace, openStore } from "../fill.ts";
import { makeFilledStore, startKnowledge, untilIdle } from "../servers.ts";
import { embed } from "../vectors.ts";
import type { Scenario } from "./scenario.ts";

const minChunks = 100;
const warmUpSearches = 300;
const searches = 800;
const clients = 8;
const recallSearches = 100;
/** Maximum number of rows to scan exactly for the recall of a pair. A million take seconds for each question. */
const maxScannedRows = 10_000_000;
const neighbours = 10;
const namespace = "default";
/** The table counts as read into memory once the event loop was used less than this share in several consecutive checks. */
const quietShare = 0.02;
const pollIntervalMs = 500;
const quietPolls = 4;

interface SearchGoals {
  maxMs: number;
  minRecall: number;
  minPerSecond?: number;
}

/** Searches of one namespace over HTTP, once its index is built, and the recall of the index. */
export const createSearchScenario = (
  wholeChunks: number,
  { maxMs, minRecall, minPerSecond }: SearchGoals,
): Scenario => ({
  title: `A namespace of ${wholeChunks.toLocaleString("en-GB")} chunks`,
  metrics: {
    firstMs: { title: "the first search after a start", unit: "ms", digits: 0 },
    p50Ms: { title: "search, p50", unit: "ms", digits: 2, goal: { atMost: maxMs } },
    perSecond: {
      title: `searches by ${clients} clients`,
      unit: "/s",
      digits: 0,
      ...(minPerSecond !== undefined && { goal: { atLeast: minPerSecond } }),
    },
    recall: {
      title: "recall@10 of the vectors, beside an exact scan",
      unit: "",
      digits: 4,
      goal: { atLeast: minRecall },
    },
    megabytes: { title: "memory after the searches", unit: "MB", digits: 0, goal: { atMost: 1_024 } },
  },
  async measure({ pairs, scale }, provider, report) {
    const chunks = Math.max(minChunks, wholeChunks * scale);
    const store = await makeFilledStore(`search-${chunks}`, (path) => fillNamespace(path, namespace, chunks, 1));
    for (let pair = 0; pair < pairs; pair++) {
      const service = await startKnowledge(store.path, provider);
      const random = createRandom(3_000 + pair);
      // The first search reads the namespace into memory.
      const firstMs = await searchOnce(service, namespace, makeQuestion(random));
      await untilIdle(service);
      for (let turn = 0; turn < warmUpSearches; turn++) await searchOnce(service, namespace, makeQuestion(random));
      const times: number[] = [];
      for (let turn = 0; turn < searches; turn++)
        times.push(await searchOnce(service, namespace, makeQuestion(random)));
      const begun = performance.now();
      const client = async () => {
        for (let turn = 0; turn < searches / clients; turn++)
          await searchOnce(service, namespace, makeQuestion(random));
      };
      await Promise.all(Array.from({ length: clients }, client));
      const perSecond = (searches / (performance.now() - begun)) * 1_000;
      const megabytes = memory(service.pid).now / 2 ** 20;
      await service.close();
      const recall = await measureRecall(store.path, random, Math.min(recallSearches, maxScannedRows / chunks));
      report({ firstMs, p50Ms: median(times), perSecond, recall, megabytes });
    }
    await store.remove();
  },
});

/** The share of the nearest chunks of an exact scan that the store also finds. */
async function measureRecall(location: string, random: () => number, questions: number): Promise<number> {
  const store = await openStore(location);
  const { connect } = await import(join(rootDirectory, "node_modules/@lancedb/lancedb/dist/index.js"));
  const connection = await connect(location);
  const [name] = await connection.tableNames();
  const table = await connection.openTable(name);
  const schema = await table.schema();
  const column = schema.fields.find((field: { name: string }) => field.name.startsWith("vector_")).name;
  await untilInMemory(() => store.search(namespace, { words: "what" }, { limit: 1 }, () => []));
  let found = 0;
  for (let turn = 0; turn < questions; turn++) {
    const vector = embed(makeQuestion(random));
    const exact = await table
      .query()
      .nearestTo(vector)
      .column(column)
      .distanceType("cosine")
      .bypassVectorIndex()
      .select(["hash", "chunk", "_distance"])
      .limit(neighbours)
      .toArray();
    const wanted = new Set(exact.map((row: { hash: string; chunk: number }) => `${row.hash} ${row.chunk}`));
    // Rank as many chunks as a user's search, and compare the first ones.
    const question = { getVector: async () => vector };
    const rank = (rankings: { byMeaning: object[] }) => rankings.byMeaning.slice(0, neighbours);
    const results: FoundChunk[] = await store.search(namespace, question, { limit: 50 }, rank);
    for (const { chunk } of results) found += Number(wanted.has(`${chunk.document.hash} ${chunk.index}`));
  }
  await store.close();
  connection.close();
  return found / (questions * neighbours);
}

interface FoundChunk {
  chunk: { document: { hash: string }; index: number };
}

/** Searches, and waits until reading into memory has ended. */
async function untilInMemory(search: () => Promise<unknown>): Promise<void> {
  await search();
  for (let quiet = 0; quiet < quietPolls; ) {
    const before = performance.eventLoopUtilization();
    await new Promise((resolve) => setTimeout(resolve, pollIntervalMs));
    quiet = performance.eventLoopUtilization(before).utilization < quietShare ? quiet + 1 : 0;
  }
}
