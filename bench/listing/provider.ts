import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

/** A provider that sends one word in each gap, and in each word the time of its sending in microseconds. */
export async function startPacedProvider(options: {
  port: number;
  tokens: number;
  gapMs: number;
}): Promise<{ port: number; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    request.resume();
    request.once("end", () => answer(response, options));
  });
  server.listen(options.port, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function answer(response: ServerResponse, { tokens, gapMs }: { tokens: number; gapMs: number }): void {
  response.writeHead(200, { "Content-Type": "text/event-stream" });
  let sent = 0;
  const timer = setInterval(() => {
    if (sent++ < tokens) {
      response.write(chunk(`{"content":"t${Math.round(performance.now() * 1_000)} "}`, "null"));
      return;
    }
    clearInterval(timer);
    response.end(`${chunk("{}", '"stop"')}data: [DONE]\n\n`);
  }, gapMs);
  response.once("close", () => clearInterval(timer));
}

const chunk = (delta: string, finish: string) =>
  `data: {"id":"c","object":"chat.completion.chunk","created":0,"model":"m","choices":[{"index":0,"delta":${delta},"finish_reason":${finish}}]}\n\n`;
