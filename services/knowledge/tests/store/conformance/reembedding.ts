import { ProviderError } from "@agent-backends/llm";
import { expect, it } from "vitest";
import {
  buildDocument,
  findMatching,
  findNearest,
  readWhole,
  toLastLetterVector,
  toLetterVector,
} from "../documents.ts";
import type { StoreUnderTest } from "./store-under-test.ts";

export function testReembedding({ open }: StoreUnderTest): void {
  const texts = Array.from(
    { length: 40 },
    (_, number) => `Chunk ${number} about ${["tea", "wuxia", "rust"][number % 3]}.`,
  );
  const other = { model: "last letters", dimension: 8 };
  const embed = async (some: string[]) => some.map(toLastLetterVector);

  it("goes on where it was interrupted, with the old vectors searched until all new ones are there", async () => {
    const store = open();
    const documents = Array.from({ length: 15 }, (_, number) =>
      buildDocument("", { pieces: texts.map((text) => `${text} ${number}`) }),
    );
    for (const document of documents) await store.add("default", document);
    let embedded = 0;
    const interrupted = async (some: string[]) => {
      if (embedded > 0) throw new Error("The power is gone.");
      embedded += some.length;
      return embed(some);
    };
    await expect(store.reembed("default", { ...other, embed: interrupted })).rejects.toThrow("power");
    expect(await store.getEmbedding("default")).toEqual({ model: "letters", dimension: 26 });
    const old = await findNearest(
      store,
      "default",
      { model: "letters", vector: toLetterVector("wuxia") },
      { limit: 5 },
    );
    expect(old).toHaveLength(5);

    const meanwhile = open();
    const progress: number[] = [];
    let second = 0;
    await store.reembed("default", {
      ...other,
      embed: async (some) => {
        if (second === 0) await meanwhile.add("default", buildDocument("Somebody brings this xyz meanwhile."));
        second += some.length;
        return embed(some);
      },
      onProgress: (done) => progress.push(done),
    });
    expect(embedded + second).toBe(15 * 40 + 1);
    expect(progress).toEqual([...progress].sort((one, next) => one - next));
    expect(await store.getEmbedding("default")).toEqual(other);
    const vector = toLastLetterVector("xyz");
    const [nearest] = await findNearest(meanwhile, "default", { model: other.model, vector }, { limit: 1 });
    expect(nearest?.chunk.text).toContain("xyz meanwhile");
    expect(await findMatching(store, "default", "rust", { limit: 50 })).toHaveLength(50);
    expect(await readWhole(store, "default", documents[0]?.id ?? "")).toMatchObject({ chunks: 40 });
    await expect(meanwhile.add("default", buildDocument("too late"))).rejects.toThrow(/knowledge:reindex/);
    const late = buildDocument("in time", { embeddingModel: other.model, toVector: toLastLetterVector });
    expect(await meanwhile.add("default", late)).toBe(true);
    await expect(
      store.reembed("default", { ...other, embed: () => Promise.reject(new Error("asked again")) }),
    ).resolves.toBe(true);
  });

  it("during a search leaves the question's vector and those of the chunks to be of the same model", async () => {
    const [store, another] = [open(), open()];
    await store.add("default", buildDocument("", { pieces: texts }));
    let asked = "";
    const getVector = async ({ model }: { model: string }) => {
      if (asked === "") await another.reembed("default", { ...other, embed });
      asked = model;
      return (model === "letters" ? toLetterVector : toLastLetterVector)("wuxia");
    };
    const found = await store.search("default", { getVector }, { limit: 3 }, ({ byMeaning, embedding }) => {
      expect(asked).toBe(embedding.model);
      return byMeaning;
    });
    expect(found.map(({ chunk }) => /wuxia/.test(chunk.text))).toEqual([true, true, true]);
  });

  it("does not take what the provider says for a table that is gone", async () => {
    const store = open();
    await store.add("default", buildDocument("", { pieces: texts }));
    let asked = 0;
    const embed = () => {
      asked += 1;
      return Promise.reject(new ProviderError("http_status", "The model does not exist."));
    };
    await expect(store.reembed("default", { ...other, embed })).rejects.toThrow(ProviderError);
    expect(asked).toBe(1);
  });

  it("that was thought better of leaves nothing of the other model", async () => {
    const store = open();
    await store.add("default", buildDocument("", { pieces: texts }));
    const never = () => Promise.reject(new Error("no"));
    await expect(store.reembed("default", { ...other, embed: never })).rejects.toThrow("no");
    expect(await store.reembed("default", { model: "letters", dimension: 26, embed: never })).toBe(true);
    expect(await store.reembed("nobody", { ...other, embed })).toBe(false);
  });
}
