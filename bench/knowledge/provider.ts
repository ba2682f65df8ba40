// A model provider on loopback that answers at once: vectors made from the texts, and one sentence.   PORT=… node bench/knowledge/provider.ts
import type { ServerResponse } from "node:http";
import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import { vectorOf } from "./vectors.ts";

interface ProviderRequest {
  input?: string | string[];
  encoding_format?: string;
  stream?: boolean;
}

function embeddings({ input = [], encoding_format: format }: ProviderRequest): string {
  const data = [input].flat().map((text, index) => {
    const vector = vectorOf(text);
    const embedding =
      format === "base64" ? `"${Buffer.from(vector.buffer).toString("base64")}"` : `[${Array.from(vector).join(",")}]`;
    return `{"object":"embedding","index":${index},"embedding":${embedding}}`;
  });
  return `{"object":"list","model":"benchmark","data":[${data.join(",")}],"usage":{"prompt_tokens":1,"total_tokens":1}}`;
}

function answer(response: ServerResponse): void {
  const head = { id: "chatcmpl-1", object: "chat.completion.chunk", created: 1, model: "benchmark" };
  const deltas = [{ role: "assistant", content: "" }, { content: "It" }, { content: " is so [1]." }];
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const delta of deltas) {
    response.write(`data: ${JSON.stringify({ ...head, choices: [{ index: 0, delta, finish_reason: null }] })}\n\n`);
  }
  response.end(
    `data: ${JSON.stringify({ ...head, choices: [{ index: 0, delta: {}, finish_reason: "stop" }] })}\n\ndata: [DONE]\n\n`,
  );
}

const server = createServer(async (request, response) => {
  const body = request.method === "POST" ? ((await json(request)) as ProviderRequest) : {};
  if (request.url?.endsWith("/chat/completions")) return answer(response);
  const isEmbedding = request.url?.endsWith("/embeddings");
  response.writeHead(200, { "content-type": "application/json" });
  response.end(isEmbedding ? embeddings(body) : "{}");
});
server.keepAliveTimeout = 0;
server.listen(Number(process.env.PORT), "127.0.0.1");
