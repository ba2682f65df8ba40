import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { EndpointError } from "./endpoint-error.ts";

export type EndpointRoute = "chat" | "embeddings" | "models";

/** One parsed call of the endpoint. `signal` aborts when the caller closes its connection before the answer is whole. */
export interface EndpointRequest {
  readonly route: EndpointRoute;
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  /** The JSON body; undefined for a request without one. */
  readonly body: unknown;
  readonly signal: AbortSignal;
}

const routes: Record<string, { route: EndpointRoute; method: "GET" | "POST" }> = {
  "/v1/chat/completions": { route: "chat", method: "POST" },
  "/v1/embeddings": { route: "embeddings", method: "POST" },
  "/v1/models": { route: "models", method: "GET" },
};

/** The route that a request addresses. Throws an EndpointError: 404 for an unknown path, 405 for another method. */
export function routeOf(method: string, url: string): EndpointRoute {
  const path = url.split("?", 1)[0] ?? "";
  const found = routes[path];
  if (!found) {
    throw new EndpointError(404, `Unknown path: ${method} ${path}. There are: ${Object.keys(routes).join(", ")}.`, {
      code: "unknown_url",
    });
  }
  if (found.method !== method) {
    throw new EndpointError(405, `${path} is called with ${found.method}, not ${method}.`);
  }
  return found.route;
}

/** Reads a JSON body of at most `maxBytes`. Throws an EndpointError: 413 above it, 400 when it is not JSON. */
export async function readJson(request: IncomingMessage, maxBytes: number): Promise<unknown> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    size += piece.length;
    if (size > maxBytes) throw new EndpointError(413, `The body is larger than ${maxBytes} bytes.`);
    pieces.push(piece);
  }
  try {
    return JSON.parse(Buffer.concat(pieces).toString("utf8"));
  } catch {
    throw new EndpointError(400, "The body is not JSON. Send a JSON object with Content-Type: application/json.");
  }
}
