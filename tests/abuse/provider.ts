// A thread of its own, so that a provider that parses megabytes delays nobody else.
import { parentPort } from "node:worker_threads";
import type { ScriptedAnswer } from "@agent-backends/testing";
import { answer, startScriptedProvider } from "@agent-backends/testing";

const forget = () => {
  // What was asked is of no use, and this is asked much.
  provider.requests.length = 0;
};
/** Costs next to nothing, as a provider's own machine would not be this one. */
const embeddings: ScriptedAnswer = {
  async respond({ body }, reply) {
    const { input, model } = body as { input: string | string[]; model: string };
    const embedding = Buffer.from(new Float32Array(256).fill(1 / 16).buffer).toString("base64");
    const data = [input].flat().map((_text, index) => ({ object: "embedding", index, embedding }));
    reply.json(200, { object: "list", data, model, usage: { prompt_tokens: 1, total_tokens: 1 } });
  },
};
const provider = await startScriptedProvider({
  embeddings: () => {
    forget();
    return embeddings;
  },
  script: ({ body }) => {
    forget();
    return body === undefined ? answer.drop() : answer.text("Hello, ", "nobody.");
  },
});
parentPort?.postMessage(provider.baseUrl);
