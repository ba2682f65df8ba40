import { median, untilFirst, upload } from "../client.ts";
import { createRandom, makeQuestion, makeText } from "../corpus.ts";
import { makeStore, startKnowledge, untilIdle } from "../servers.ts";
import type { Scenario } from "./scenario.ts";

const paragraphs = 2_000;
const warmUpQuestions = 50;
const questions = 200;

/** The time before the first word of an answer, without the provider's time, which is that of its two answers. */
export const firstDelta: Scenario = {
  title: "The first delta of an answer",
  metrics: {
    addedMs: {
      title: "`/stream`, before the first delta, besides the provider's time, p50",
      unit: "ms",
      digits: 2,
      goal: { atMost: 8 },
    },
    totalMs: { title: "`/stream`, before the first delta, p50", unit: "ms", digits: 2 },
    providerMs: { title: "the provider alone: a vector and a first delta, p50", unit: "ms", digits: 2 },
  },
  async measure({ pairs }, provider, report) {
    const store = await makeStore();
    const service = await startKnowledge(store.path, provider);
    await upload(service, "default", { name: "text.txt", text: makeText(5, { paragraphs }) });
    await untilIdle(service);
    for (let pair = -1; pair < pairs; pair++) {
      const random = createRandom(5_000 + pair);
      const [total, alone]: number[][] = [[], []];
      for (let turn = 0; turn < (pair < 0 ? warmUpQuestions : questions); turn++) {
        const question = makeQuestion(random);
        const messages = [{ role: "user", content: question }];
        const stream = { thread_id: `t${turn}`, run_id: `r${turn}`, messages };
        total?.push(await untilFirst(`${service.baseUrl}/stream`, stream, (line) => line.includes("text_delta")));
        const embedding = { model: "benchmark", input: [question], encoding_format: "base64" };
        const vector = await measureMs(`${provider.baseUrl}/embeddings`, embedding);
        const chat = { model: "benchmark", messages, stream: true };
        const delta = await untilFirst(`${provider.baseUrl}/chat/completions`, chat, (line) => line.includes('"It"'));
        alone?.push(vector + delta);
      }
      const [totalMs, providerMs] = [median(total ?? []), median(alone ?? [])];
      // The first round compiles the code.
      if (pair >= 0) report({ addedMs: totalMs - providerMs, totalMs, providerMs });
    }
    await service.close();
    await store.remove();
  },
};

async function measureMs(url: string, body: object): Promise<number> {
  const begun = performance.now();
  const headers = { "content-type": "application/json" };
  await (await fetch(url, { method: "POST", headers, body: JSON.stringify(body) })).text();
  return performance.now() - begun;
}
