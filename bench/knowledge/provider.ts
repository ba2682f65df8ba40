// A model provider on loopback that answers immediately: with vectors made from the texts, and with one sentence.   PORT=… node
// bench/knowledge/provider.ts
import type { ServerResponse } from "node:http";
import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import { embed } from "./vectors.ts";

interface ProviderRequest {
  input?: string | string[];
  encoding_format?: string;
  stream?: boolean;
}

/** Number of precomputed vectors shared by texts if the address contains `/pooled`. The provider's cost is then not measured. */
const pooled = 512;
let pool: Buffer[] = [];

function embeddings({ input = [], encoding_format: format }: ProviderRequest, isPooled: boolean): Buffer {
  const pieces: Buffer[] = [Buffer.from('{"object":"list","model":"benchmark","data":[')];
  for (const [index, text] of [input].flat().entries()) {
    pieces.push(Buffer.from(`${index === 0 ? "" : ","}{"object":"embedding","index":${index},"embedding":`));
    if (isPooled && format === "base64") {
      if (pool.length === 0) pool = Array.from({ length: pooled }, (_, number) => written(`${number}`, format));
      pieces.push(pool[text.length % pooled] ?? Buffer.alloc(0));
    } else pieces.push(written(text, format));
    pieces.push(Buffer.from("}"));
  }
  pieces.push(Buffer.from('],"usage":{"prompt_tokens":1,"total_tokens":1}}'));
  return Buffer.concat(pieces);
}

function written(text: string, format: string | undefined): Buffer {
  const vector = embed(text);
  if (format !== "base64") return Buffer.from(`[${Array.from(vector).join(",")}]`);
  return Buffer.from(`"${Buffer.from(vector.buffer).toString("base64")}"`, "latin1");
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
  const answered = isEmbedding ? embeddings(body, request.url?.startsWith("/pooled") ?? false) : Buffer.from("{}");
  response.writeHead(200, { "content-type": "application/json", "content-length": answered.length });
  response.end(answered);
});
server.keepAliveTimeout = 0;
server.listen(Number(process.env.PORT), "127.0.0.1");
