import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { EndpointReply } from "./endpoint-reply.ts";
import type { EndpointRequest } from "./endpoint-request.ts";
import { EndpointError, findRoute, readJson } from "./endpoint-request.ts";

/** Enough for the largest batch of embeddings that OpenAI accepts. */
const maxRequestBytes = 64 * 1024 * 1024;

/** Longer than clients keep idle connections, so that no connection is closed just as a new request arrives. */
const keepAliveMs = 65_000;

/** Responds to one request. An EndpointError thrown before the response starts becomes OpenAI's error JSON. */
export type Responder = (request: EndpointRequest, reply: EndpointReply) => Promise<void>;

export interface RunningEndpoint {
  /** Base URL for `LLM_BASE_URL`, such as `http://127.0.0.1:8010/v1`. */
  readonly baseUrl: string;
  /** Stops listening and breaks every open connection. */
  close(): Promise<void>;
}

/**
 * Starts an HTTP server with OpenAI's API (POST /v1/chat/completions, POST /v1/embeddings, GET /v1/models) whose responses come from
 * `responder`. Accepts any API key. Listens on a free port of 127.0.0.1. Rejects if it can't listen.
 */
export async function startEndpoint(responder: Responder): Promise<RunningEndpoint> {
  const server = createServer({ keepAliveTimeout: keepAliveMs }, (request, response) => {
    void answer(request, response, responder);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(0, "127.0.0.1", resolve);
  });
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function answer(incoming: IncomingMessage, response: ServerResponse, responder: Responder): Promise<void> {
  const gone = new AbortController();
  const reply = new EndpointReply(response);
  response.once("close", () => {
    if (!response.writableFinished && !reply.wasCut) gone.abort();
  });
  try {
    const { method = "GET", url = "/", headers } = incoming;
    const route = findRoute(method, url);
    const body = method === "POST" ? await readJson(incoming, maxRequestBytes) : undefined;
    await responder({ route, method, url, headers, body, signal: gone.signal }, reply);
  } catch (error) {
    if (gone.signal.aborted) return;
    if (reply.started) {
      reply.cut();
      return;
    }
    const known = error instanceof EndpointError ? error : new EndpointError(500, "The endpoint failed internally.");
    reply.json(known.status, known, { connection: "close" });
  }
}
