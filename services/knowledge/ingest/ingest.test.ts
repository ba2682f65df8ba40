import { writeFile } from "node:fs/promises";
import fc from "fast-check";
import { expect, it } from "vitest";
import type { LanceStore } from "../store/lance/lance-store.ts";
import { readWhole, toLetterVector } from "../tests/store/documents.ts";
import { open, useStores } from "../tests/store/lance/lance-stores.ts";
import { defaultExtractionLimits } from "./extract/extract.ts";
import { ingest } from "./ingest.ts";
import { PageFetches } from "./websites/page-fetches.ts";

useStores();

const contents = ["First.", "Second.", "Words that fill a chunk. ".repeat(200).trim()];
const addresses = ["https://a.example/", "https://b.example/", "https://c.example/"];

/** Which content a source has by now; without an address it is a text. */
interface Brought {
  address?: string | undefined;
  content: number;
  replaces: boolean;
}

type Step = { bring: Brought } | { bringAtOnce: [Brought, Brought] } | { remove: number };

const broughtFrom = (address: fc.Arbitrary<string | undefined>): fc.Arbitrary<Brought> =>
  fc.record({ address, content: fc.nat(contents.length - 1), replaces: fc.boolean() });
const anySource = broughtFrom(fc.constantFrom(undefined, ...addresses));
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ bring: anySource }) },
  {
    weight: 3,
    arbitrary: fc.record({
      bringAtOnce: fc.tuple(
        broughtFrom(fc.constant(addresses[0])),
        broughtFrom(fc.constantFrom(undefined, addresses[1])),
      ),
    }),
  },
  { weight: 1, arbitrary: fc.record({ remove: fc.nat(contents.length - 1) }) },
);

function bring(store: LanceStore, namespace: string, { address, content, replaces }: Brought) {
  const bytes = Buffer.from(contents[content] ?? "");
  const dependencies = {
    store,
    embedder: { model: "letters", embed: async (texts: string[]) => Array.from(texts, toLetterVector) },
    now: () => new Date(),
    sources: {
      maxFileBytes: 10_000,
      extraction: defaultExtractionLimits,
      pages: new PageFetches(async (url, path) => {
        await writeFile(path, bytes);
        return { url, contentType: "text/plain", path, bytesOnDisk: bytes.byteLength };
      }),
      reportError: (error: unknown) => expect.unreachable(String(error)),
    },
  };
  const sources = [address ?? contents[content]];
  const { signal } = new AbortController();
  return ingest(dependencies, { namespace, client: "anyone", sources, files: [], replaces, signal });
}

/** The sources of each content, as the rule has it. @returns how many contents are gone by this */
function keep(sourcesByContent: Map<number, Set<string>>, { address, content, replaces }: Brought): number {
  const source = address ? `url:${address}` : "text:0";
  sourcesByContent.set(content, (sourcesByContent.get(content) ?? new Set()).add(source));
  if (!replaces || !address) return 0;
  let gone = 0;
  for (const [other, sources] of sourcesByContent) {
    if (other === content || !sources.delete(source) || sources.size > 0) continue;
    sourcesByContent.delete(other);
    gone += 1;
  }
  return gone;
}

it("content stays while any of its sources has it, whatever the order of adds, replacements and deletions", async () => {
  let namespaces = 0;
  const writers = [open(), open()] as const;
  const run = async (steps: Step[]) => {
    const namespace = `run ${namespaces++}`;
    const sourcesByContent = new Map<number, Set<string>>();
    for (const [number, step] of steps.entries()) {
      const [store, other] = number % 2 === 0 ? writers : writers.toReversed();
      if (!store || !other) return;
      if ("bring" in step) {
        const isNew = !sourcesByContent.has(step.bring.content);
        const replaced = keep(sourcesByContent, step.bring);
        const { saved, skipped, errors } = await bring(store, namespace, step.bring);
        expect([saved.length, skipped.length, errors]).toEqual(isNew ? [1, 0, []] : [0, 1, []]);
        expect(saved[0]?.replaced ?? skipped[0]?.replaced ?? 0).toBe(replaced);
      } else if ("bringAtOnce" in step) {
        const [one, another] = step.bringAtOnce;
        const answers = await Promise.all([bring(store, namespace, one), bring(other, namespace, another)]);
        expect(answers.flatMap(({ errors }) => errors)).toEqual([]);
        for (const brought of step.bringAtOnce) keep(sourcesByContent, brought);
      } else {
        const text = contents[step.remove];
        for (const { id } of await store.listDocuments(namespace, { limit: 10 })) {
          if ((await readWhole(store, namespace, id))?.text === text) await other.deleteDocument(namespace, id);
        }
        sourcesByContent.delete(step.remove);
      }
      const listed = await other.listDocuments(namespace, { limit: 10 });
      const texts = await Promise.all(listed.map(async ({ id }) => (await readWhole(store, namespace, id))?.text));
      const kept = [...sourcesByContent.keys()].map((content) => contents[content]);
      expect(texts.toSorted()).toEqual(kept.toSorted());
      for (const [position, { source }] of listed.entries()) {
        expect(sourcesByContent.get(contents.indexOf(texts[position] ?? ""))).toContain(source);
      }
    }
  };
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 12 }), run), { numRuns: 8 });
}, 60_000);
