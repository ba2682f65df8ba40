import { cp } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";
import type { Server } from "../../harness/processes.ts";
import type { Metrics, Values } from "../../harness/recording.ts";
import { median, search, upload } from "../client.ts";
import { createRandom, makeQuestion, makeText } from "../corpus.ts";
import { fillNamespace } from "../fill.ts";
import { makeFilledStore, makeStore, startKnowledge } from "../servers.ts";
import type { Scenario } from "./scenario.ts";

const sizes = [10_000, 100_000];
const warmUpSearches = 50;
const searches = 200;
const pauseMs = 50;
/** Number of chunks per document. One document arrives per second. */
const documentChunks = 10;
const documentEveryMs = 1_000;
const arrivalMs = 60_000;
const settleMs = 60_000;
const namespace = "default";

const buildMetrics = (chunks: number): Metrics => ({
  [`indexed${chunks}`]: {
    title: `search of ${chunks.toLocaleString("en-GB")} chunks to which nothing is added, p50`,
    unit: "ms",
    digits: 2,
  },
  [`arriving${chunks}`]: {
    title: "times that, while a document arrives each second",
    unit: "",
    digits: 2,
    goal: { atMost: 2 },
  },
  [`slow${chunks}`]: { title: "times that, the slowest twentieth meanwhile", unit: "", digits: 2 },
  [`later${chunks}`]: { title: "times that, a minute after the last one", unit: "", digits: 2, goal: { atMost: 1.2 } },
});

/**
 * Searches of a namespace while documents arrive, and a minute later. They alternate with searches of a service on the same store that
 * receives no documents, so that other activity on the machine affects both.
 */
export const arrivals: Scenario = {
  title: "Searches while documents arrive",
  metrics: Object.assign({}, ...sizes.map(buildMetrics)),
  async measure({ pairs, scale }, provider, report) {
    const filled = new Map<number, Awaited<ReturnType<typeof makeFilledStore>>>();
    for (const chunks of sizes) {
      const fill = (path: string) => fillNamespace(path, namespace, chunks * scale, 1);
      filled.set(chunks, await makeFilledStore(`arrivals-${chunks * scale}`, fill));
    }
    for (let pair = 0; pair < pairs; pair++) {
      const measured: Values = {};
      for (const [chunks, { path }] of filled) Object.assign(measured, await measureOne(chunks, path, pair, provider));
      report(measured);
    }
    for (const { remove } of filled.values()) await remove();
  },
};

async function measureOne(chunks: number, filled: string, pair: number, provider: Server): Promise<Values> {
  const [store, untouched] = [await makeStore(), await makeStore()];
  for (const { path } of [store, untouched]) await cp(filled, path, { recursive: true });
  const [service, control] = [
    await startKnowledge(store.path, provider),
    await startKnowledge(untouched.path, provider),
  ];
  const random = createRandom(6_000 + pair);
  const searchBoth = async (isOver: (turns: number) => boolean) => {
    const times: { service: number[]; control: number[] } = { service: [], control: [] };
    for (let turn = 0; !isOver(turn); turn++) {
      const question = makeQuestion(random);
      times.service.push(await search(service, namespace, question));
      times.control.push(await search(control, namespace, question));
      await setTimeout(pauseMs);
    }
    return times;
  };
  await searchBoth((turns) => turns === warmUpSearches);
  let haveArrived = false;
  const arriving = arrive(service, pair).finally(() => {
    haveArrived = true;
  });
  const meanwhile = await searchBoth(() => haveArrived);
  await arriving;
  await setTimeout(settleMs);
  const later = await searchBoth((turns) => turns === searches);
  await Promise.all([service.close(), control.close()]);
  await Promise.all([store.remove(), untouched.remove()]);
  const indexed = median(meanwhile.control);
  return {
    [`indexed${chunks}`]: indexed,
    [`arriving${chunks}`]: median(meanwhile.service) / indexed,
    [`slow${chunks}`]: percentile95(meanwhile.service) / indexed,
    [`later${chunks}`]: median(later.service) / median(later.control),
  };
}

async function arrive(service: Server, pair: number): Promise<void> {
  const begun = performance.now();
  for (let count = 0; count * documentEveryMs < arrivalMs; count++) {
    await setTimeout(Math.max(0, begun + count * documentEveryMs - performance.now()));
    const text = makeText(100_000 + 1_000 * pair + count, { paragraphs: documentChunks });
    await upload(service, namespace, { name: `${count}.txt`, text });
  }
}

const percentile95 = (times: readonly number[]): number =>
  times.toSorted((one, other) => one - other)[Math.floor(0.95 * times.length)] ?? Number.NaN;
