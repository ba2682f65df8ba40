// A provider in its own thread. It uses hardly any CPU time, because a real one has its own machine: it doesn't parse conversations,
// which would make another key's embeddings wait for megabytes.
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { parentPort } from "node:worker_threads";

const vector = Buffer.from(new Float32Array(256).fill(1 / 16).buffer).toString("base64");
const frame = (choice: object) => `data: ${JSON.stringify({ choices: [{ index: 0, ...choice }] })}\n\n`;
const completion = [
  frame({ delta: { role: "assistant", content: "" } }),
  frame({ delta: { content: "Hello, " } }),
  frame({ delta: { content: "nobody." } }),
  frame({ delta: {}, finish_reason: "stop" }),
  "data: [DONE]\n\n",
].join("");

function answer(response: ServerResponse, type: string, body: string): void {
  response.writeHead(200, { "Content-Type": type, "Content-Length": Buffer.byteLength(body) });
  response.end(body);
}

const server = createServer(async (request, response) => {
  response.on("error", () => undefined);
  try {
    if (request.url?.endsWith("/embeddings")) {
      const { input, model } = (await json(request)) as { input: string | string[]; model: string };
      const data = [input].flat().map((_text, index) => ({ object: "embedding", index, embedding: vector }));
      const usage = { prompt_tokens: 1, total_tokens: 1 };
      answer(response, "application/json", JSON.stringify({ object: "list", data, model, usage }));
    } else if (request.method === "POST") {
      await once(request.resume(), "end");
      answer(response, "text/event-stream", completion);
    } else answer(response, "application/json", JSON.stringify({ object: "list", data: [] }));
  } catch {
    // The service has disconnected.
    response.destroy();
  }
});
server.keepAliveTimeout = 60_000;
await once(server.listen(0, "127.0.0.1"), "listening");
parentPort?.postMessage(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`);
