import { randomUUID } from "node:crypto";
import type { Server } from "../../harness/processes.ts";
import { median, search, upload } from "../client.ts";
import { createRandom, makeQuestion, makeText } from "../corpus.ts";
import { fillNamespace } from "../fill.ts";
import { makeFilledStore, startKnowledge } from "../servers.ts";
import type { Scenario } from "./scenario.ts";

const wholeNamespaces = 2_000;
const listings = 20;
const chunksOfEach = 500;
const searchesOfEach = 3;
/** They fit into the service's memory for searches together. */
const namespacesSearched = 200;

const toName = (number: number) => `customer-${number}`;

/** Searches of many small namespaces: the first search of each after a start, and later ones. */
export const manyNamespaces: Scenario = {
  title: "Many small namespaces",
  metrics: {
    listMs: { title: "listing them, p50", unit: "ms", digits: 1, goal: { atMost: 100 } },
    namespaces: { title: `namespaces of ${chunksOfEach} chunks`, unit: "", digits: 0 },
    p50Ms: { title: "search of one of them, p50", unit: "ms", digits: 2, goal: { atMost: 2 } },
    firstMs: { title: "the first one of each after a start, p50", unit: "ms", digits: 2, goal: { atMost: 20 } },
  },
  async measure({ pairs, scale }, provider, report) {
    const namespaces = wholeNamespaces * scale;
    const store = await makeFilledStore(`namespaces-${namespaces}`, async (path) => {
      for (let number = 0; number < namespaces; number++) {
        await fillNamespace(path, toName(number), chunksOfEach, 10_000 + number);
      }
    });
    for (let pair = 0; pair < pairs; pair++) {
      const service = await startKnowledge(store.path, provider);
      const random = createRandom(4_000 + pair);
      // Use a separate namespace to load and compile the code, so that no first search includes that. An interrupted run may have left one.
      const warmUp = `warm-up-${randomUUID()}`;
      await upload(service, warmUp, { name: "text.txt", text: makeText(1 + pair, { paragraphs: chunksOfEach }) });
      for (let turn = 0; turn < namespacesSearched; turn++) await search(service, warmUp, makeQuestion(random));
      const chosen = Array.from({ length: Math.min(namespaces, namespacesSearched) }, (_, place) =>
        toName(Math.floor((place * namespaces) / Math.min(namespaces, namespacesSearched))),
      );
      const first: number[] = [];
      const later: number[] = [];
      for (const name of chosen) first.push(await search(service, name, makeQuestion(random)));
      for (let turn = 0; turn < searchesOfEach; turn++) {
        for (const name of chosen) later.push(await search(service, name, makeQuestion(random)));
      }
      const lists: number[] = [];
      for (let turn = 0; turn < listings; turn++) lists.push(await list(service));
      await service.close();
      report({ namespaces, listMs: median(lists), p50Ms: median(later), firstMs: median(first) });
    }
    await store.remove();
  },
};

async function list({ baseUrl }: Server): Promise<number> {
  const begun = performance.now();
  await (await fetch(`${baseUrl}/api/namespaces`)).arrayBuffer();
  return performance.now() - begun;
}
