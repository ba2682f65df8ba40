import { createHash } from "node:crypto";
import { join } from "node:path";
import { createLogger } from "@agent-backends/kit";
import { rootDirectory } from "../harness/paths.ts";
import { createRandom, makeParagraph } from "./corpus.ts";
import { embed } from "./vectors.ts";

/** Number of chunks per document, and of documents per commit. */
const documentChunks = 500;
const documentBatchSize = 16;
const model = "text-embedding-3-small";

/** The built modules of the service's own store, so that the data has the same format. */
const built = (path: string) => import(join(rootDirectory, "services/knowledge/dist/store", path));

export async function openStore(location: string) {
  const { LanceStore } = await built("lance/lance-store.js");
  return new LanceStore({ folder: location }, { logger: createLogger("benchmark", "error") });
}

/** A document of paragraphs in the form in which a namespace stores it, with the vectors of the benchmark's provider. */
function makeDocument(random: () => number, chunkCount: number) {
  const paragraphs = Array.from({ length: chunkCount }, () => makeParagraph(random));
  let start = 0;
  const chunks = paragraphs.map((text, index) => {
    const chunk = { index, start, end: start + text.length, searchText: text, vector: embed(text) };
    start += text.length + 2;
    return chunk;
  });
  const text = paragraphs.join("\n\n");
  const hash = createHash("sha256").update(text).digest("hex");
  const header = { id: hash.slice(0, 32), hash, title: "text.txt", source: "text.txt", contentType: "text/plain" };
  const about = { ...header, ingestedAt: new Date().toISOString(), embeddingModel: model, chunkCount };
  return { ...about, parts: () => [{ text, chunks }] };
}

/**
 * Fills a namespace with paragraphs that are unique to the seed. Writes to the store directly, because embedding and HTTP would take
 * many times as long and aren't measured here.
 */
export async function fillNamespace(location: string, namespace: string, chunks: number, seed: number): Promise<void> {
  const [{ connect }, { toRows }, { RowColumns }, { getTableName, readSchema }, { ensureVectorIndex }] =
    await Promise.all([
      import(join(rootDirectory, "node_modules/@lancedb/lancedb/dist/index.js")),
      built("lance/table/rows.js"),
      built("lance/table/row-columns.js"),
      built("lance/table/schema.js"),
      built("lance/upkeep/vector-index.js"),
    ]);
  const random = createRandom(seed);
  const store = await openStore(location);
  await store.add(namespace, makeDocument(random, Math.min(documentChunks, chunks)));
  await store.close();
  const connection = await connect(location);
  const table = await connection.openTable(getTableName(namespace));
  const { active } = readSchema(await table.schema());
  for (let stored = await table.countRows(); stored < chunks; ) {
    const sizes = Array.from({ length: documentBatchSize }, (_, index) =>
      Math.min(documentChunks, chunks - stored - index * documentChunks),
    ).filter((size) => size > 0);
    await table.add(
      await new RowColumns().convert(
        sizes.flatMap((size) => {
          const document = makeDocument(random, size);
          return [...toRows({ document, part: document.parts()[0] })];
        }),
        active,
      ),
    );
    stored += sizes.reduce((sum, size) => sum + size, 0);
  }
  // Maintenance work that the service runs while it is idle.
  await table.optimize({ cleanupOlderThan: new Date() });
  await ensureVectorIndex(table, active);
  connection.close();
}
