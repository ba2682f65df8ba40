import { join } from "node:path";
import { rootDirectory } from "../../harness/paths.ts";
import { memory } from "../../harness/processes.ts";
import { median, search as searchOnce } from "../client.ts";
import { createRandom, makeQuestion } from "../corpus.ts";
import { fillNamespace, openStore } from "../fill.ts";
import { makeStore, startKnowledge } from "../servers.ts";
import { embed } from "../vectors.ts";
import type { Scenario } from "./scenario.ts";

const warmUpSearches = 50;
const searches = 300;
const recallSearches = 100;
const neighbours = 10;
const namespace = "default";

/** Searches of one namespace with many chunks, once its index is built, over HTTP; and what the index overlooks. */
export const search: Scenario = {
  metrics: {
    chunks: { title: "chunks in the namespace", unit: "", digits: 0 },
    p50Ms: { title: "search, p50", unit: "ms", digits: 2, goal: "100k: ≤ 8, 1M: ≤ 30" },
    recall: {
      title: "recall@10 of the vectors, beside an exact scan",
      unit: "",
      digits: 4,
      goal: "100k: ≥ 0.99, 1M: ≥ 0.98",
    },
    megabytes: { title: "memory after the searches", unit: "MB", digits: 0, goal: "1M: ≤ 1 024" },
  },
  async measure({ pairs, chunks }, provider, report) {
    const store = await makeStore();
    await fillNamespace(store.path, namespace, chunks, 1);
    for (let pair = 0; pair < pairs; pair++) {
      const service = await startKnowledge(store.path, provider);
      const random = createRandom(3_000 + pair);
      for (let turn = 0; turn < warmUpSearches; turn++) await searchOnce(service, namespace, makeQuestion(random));
      const times: number[] = [];
      for (let turn = 0; turn < searches; turn++)
        times.push(await searchOnce(service, namespace, makeQuestion(random)));
      const megabytes = memory(service.pid).now / 2 ** 20;
      await service.close();
      const recall = await measureRecall(store.path, random);
      report({ chunks, p50Ms: median(times), recall, megabytes });
    }
    await store.remove();
  },
};

/** The share of the nearest chunks of an exact scan that the store finds, too. */
async function measureRecall(location: string, random: () => number): Promise<number> {
  const store = await openStore(location);
  const { connect } = await import(join(rootDirectory, "node_modules/@lancedb/lancedb/dist/index.js"));
  const connection = await connect(location);
  const [name] = await connection.tableNames();
  const table = await connection.openTable(name);
  const schema = await table.schema();
  const column = schema.fields.find((field: { name: string }) => field.name.startsWith("vector_")).name;
  let found = 0;
  for (let turn = 0; turn < recallSearches; turn++) {
    const vector = embed(makeQuestion(random));
    const exact = await table
      .query()
      .nearestTo(vector)
      .column(column)
      .distanceType("cosine")
      .bypassVectorIndex()
      .withRowId()
      .select(["_distance"])
      .limit(neighbours)
      .toArray();
    const wanted = new Set(exact.map((row: { _rowid: bigint }) => row._rowid));
    // As many are ranked as a search by its user takes, of which the first ones are compared.
    const vectorOfQuestion = async () => vector;
    await store.search(namespace, { embed: vectorOfQuestion }, { limit: 50 }, (rankings: { byMeaning: Ranked[] }) => {
      for (const { key } of rankings.byMeaning.slice(0, neighbours)) found += Number(wanted.has(key));
      return [];
    });
  }
  await store.close();
  connection.close();
  return found / (recallSearches * neighbours);
}

interface Ranked {
  key: bigint;
}
