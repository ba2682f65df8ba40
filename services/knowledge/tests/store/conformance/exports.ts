import { expect, it } from "vitest";
import type { DocumentPart, ExportedDocument, NewDocument } from "../../../store/document.ts";
import { DocumentGoneError, EmbeddingMismatchError } from "../../../store/errors.ts";
import type { KnowledgeStore } from "../../../store/knowledge-store.ts";
import { buildDocument } from "../documents.ts";
import type { StoreUnderTest } from "./store-under-test.ts";

const letters = { model: "letters", dimension: 26 };
const others = { others: [{ source: "file:b.txt", title: "B", filename: "b.txt" }], hasMore: true } as const;
const many = Array.from({ length: 300 }, (_, number) => `Zebra ${number}.`);

/** An exported document in the form in which it would be stored again, with all of its parts in memory. */
async function collect({ others, parts, chunks: chunkCount, ...document }: ExportedDocument) {
  const read: DocumentPart[] = [];
  for await (const { text, chunks } of parts)
    read.push({ text, chunks: chunks.map((chunk) => ({ ...chunk, vector: chunk.vector.slice() })) });
  return { ...document, others, chunkCount, embeddingModel: letters.model, parts: () => read } satisfies NewDocument;
}

async function exportAll(store: KnowledgeStore, namespace: string) {
  const found: Awaited<ReturnType<typeof collect>>[] = [];
  for await (const document of store.exportDocuments(namespace, letters)) found.push(await collect(document));
  return found;
}

const whole = ({ parts, ...document }: Awaited<ReturnType<typeof collect>>) => {
  const text = parts().map((part) => part.text);
  return { ...document, text: text.join(""), chunks: parts().flatMap(({ chunks }) => chunks) };
};

export function testExports({ open }: StoreUnderTest): void {
  it("holds all that is stored, which can be stored again", async () => {
    const store = open();
    const place = { title: "Old", metadata: { tags: ["a", "b"], year: 2025 }, contentType: "text/plain" };
    await store.add("zoo", { ...buildDocument("Lions roar."), ...place, others });
    await store.add(
      "zoo",
      buildDocument("", { pieces: ["One.", "Two.", "Three."], partSize: 2, source: "file:a.txt" }),
    );
    await store.add("zoo", buildDocument("", { pieces: many, partSize: 70, source: "file:many.txt" }));
    const exported = await exportAll(store, "zoo");
    const texts = exported.map((document) => whole(document).text);
    expect(texts.toSorted()).toEqual(["Lions roar.", "One.\nTwo.\nThree.", many.join("\n")]);
    expect(exported.find(({ source }) => source === "text:0")).toMatchObject({ ...place, others });
    for (const document of exported) await open().add("copy", document);
    expect((await exportAll(open(), "copy")).map(whole)).toEqual(exported.map(whole));
    const lions = buildDocument("Lions roar.");
    expect(await store.getSources("copy", lions.hash)).toEqual({ sources: ["text:0", "file:b.txt"], hasMore: true });
    for (const [index, chunk] of (exported[1] ? whole(exported[1]).chunks : []).entries())
      expect(chunk.index).toBe(index);
  });

  it("leaves out what is deleted before its turn, and tells when it is deleted in between", async () => {
    const store = open();
    const [first, second] = [buildDocument("First."), buildDocument("", { pieces: many, partSize: 70 })];
    await store.add("zoo", { ...first, ingestedAt: "2026-01-01T00:00:00.000Z" });
    await store.add("zoo", { ...second, ingestedAt: "2026-01-02T00:00:00.000Z" });
    const exported = store.exportDocuments("zoo", letters);
    expect((await exported.next()).value).toMatchObject({ hash: first.hash });
    const { value } = await exported.next();
    await open().deleteDocument("zoo", second.id);
    await expect(value && collect(value)).rejects.toThrow(DocumentGoneError);
    expect(await exported.next()).toMatchObject({ done: true });
    expect(await exportAll(store, "nowhere")).toEqual([]);
  });

  it("does not mix the vectors of two models", async () => {
    const store = open();
    await store.add("zoo", buildDocument("Lions roar."));
    const exported = store.exportDocuments("zoo", { model: "others", dimension: 26 });
    await expect(exported.next()).rejects.toThrow(EmbeddingMismatchError);
  });
}
