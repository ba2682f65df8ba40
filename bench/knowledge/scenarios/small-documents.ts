import { KnowledgeClient } from "@agent-backends/client";
import type { Server } from "../../harness/processes.ts";
import { createRandom, pickWords } from "../corpus.ts";
import { makeStore, pooled, startKnowledge } from "../servers.ts";
import type { Scenario } from "./scenario.ts";

const documents = 2_000;
const words = 180;
const clients = 16;

/** Number of texts of some 1,000 characters stored durably per second, in one request and in one request each. */
export const smallDocuments: Scenario = {
  title: "2,000 documents of 1 KB",
  metrics: {
    together: { title: "documents of 1 KB stored, all in one request", unit: "/s", digits: 0, goal: { atLeast: 400 } },
    apart: {
      title: "documents of 1 KB stored, a request each, 16 at a time",
      unit: "/s",
      digits: 0,
      goal: { atLeast: 200 },
    },
  },
  async measure({ pairs }, given, report) {
    const provider = pooled(given);
    for (let pair = 0; pair < pairs; pair++) {
      const store = await makeStore();
      const service = await startKnowledge(store.path, provider);
      await storeTexts(service, "warm-up", makeTexts(1, clients));
      const together = await measureRate(() => storeTexts(service, "together", makeTexts(3_000 + pair, documents)));
      const waiting = makeTexts(4_000 + pair, documents);
      const client = async () => {
        for (let text = waiting.pop(); text !== undefined; text = waiting.pop()) {
          await storeTexts(service, "apart", [text]);
        }
      };
      const apart = await measureRate(() => Promise.all(Array.from({ length: clients }, client)));
      await service.close();
      await store.remove();
      report({ together, apart });
    }
  },
};

function makeTexts(seed: number, count: number): string[] {
  const random = createRandom(seed);
  return Array.from({ length: count }, () => pickWords(random, words).join(" "));
}

async function measureRate(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return (documents / (performance.now() - begun)) * 1_000;
}

async function storeTexts({ baseUrl }: Server, namespace: string, sources: string[]): Promise<void> {
  const { saved } = await new KnowledgeClient({ baseUrl }).ingest({ namespace, sources });
  if (saved.length !== sources.length) throw new Error("Not all texts were stored");
}
