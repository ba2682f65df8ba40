// A model provider in one file: what an address in LLM_BASE_URL must answer. Put your own model behind it.
import { createServer } from "node:http";

interface ChatRequest {
  messages: { role: string; content: unknown }[];
}

/** Your model: yields the words of an answer. */
function* answer({ messages }: ChatRequest): Generator<string> {
  const question = messages.findLast(({ role }) => role === "user")?.content;
  yield* `You said: ${typeof question === "string" ? question : JSON.stringify(question)}`.match(/\S+\s*/g) ?? [];
}

/** Your embedding model: texts with the same words get near vectors. */
function embed(text: string): number[] {
  const vector = new Array<number>(64).fill(0);
  for (const word of text.toLowerCase().match(/\w+/g) ?? []) {
    const place = [...word].reduce((hash, letter) => (hash * 31 + letter.charCodeAt(0)) % 64, 7);
    vector[place] = (vector[place] ?? 0) + 1;
  }
  return vector;
}

const server = createServer(async (request, response) => {
  const json = (body: unknown) => response.setHeader("Content-Type", "application/json").end(JSON.stringify(body));
  if (request.url === "/v1/models") return json({ object: "list", data: [{ id: "mine", object: "model" }] });
  const isKnown = request.url === "/v1/embeddings" || request.url === "/v1/chat/completions";
  if (request.method !== "POST" || !isKnown) return response.writeHead(404).end();
  let text = "";
  for await (const chunk of request.setEncoding("utf8")) text += chunk;
  const body = JSON.parse(text);
  if (request.url === "/v1/embeddings") {
    const texts: string[] = [body.input].flat();
    return json({ object: "list", data: texts.map((input, index) => ({ index, embedding: embed(input) })) });
  }
  response.setHeader("Content-Type", "text/event-stream");
  for (const content of answer(body)) {
    response.write(`data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`);
  }
  const end = { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] };
  response.end(`data: ${JSON.stringify(end)}\n\ndata: [DONE]\n\n`);
});
const port = Number(process.env.PORT ?? 9000);
server.listen(port, "127.0.0.1", () => {
  process.stdout.write(`LLM_BASE_URL=http://127.0.0.1:${port}/v1\n`);
});
