import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import type { OpenAiError } from "@agent-backends/contract";
import type { z } from "zod";
import { tryParseJson } from "../json.ts";

export type EndpointRoute = "chat" | "embeddings" | "models";

/** One parsed request. `signal` aborts when the caller closes its connection before the response is complete. */
export interface EndpointRequest {
  readonly route: EndpointRoute;
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  /** The JSON body, or undefined for a request without one. */
  readonly body: unknown;
  readonly signal: AbortSignal;
}

/** A failure, sent as OpenAI's error JSON: `{"error": {message, type, param, code}}`. */
export class EndpointError extends Error {
  override readonly name = "EndpointError";
  readonly status: number;
  readonly param: string | null;
  readonly code: string | null;

  constructor(status: number, message: string, options: { param?: string; code?: string } = {}) {
    super(message);
    this.status = status;
    this.param = options.param ?? null;
    this.code = options.code ?? null;
  }

  toJSON(): { error: OpenAiError } {
    const type = this.status < 500 ? "invalid_request_error" : "server_error";
    return { error: { message: this.message, type, param: this.param, code: this.code } };
  }
}

const routes: Record<string, { route: EndpointRoute; method: "GET" | "POST" }> = {
  "/v1/chat/completions": { route: "chat", method: "POST" },
  "/v1/embeddings": { route: "embeddings", method: "POST" },
  "/v1/models": { route: "models", method: "GET" },
};

/** @throws EndpointError 404 for an unknown path, 405 for the wrong method */
export function findRoute(method: string, url: string): EndpointRoute {
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

/** @throws EndpointError 413 for a body of more than `maxBytes`, 400 if it is not JSON */
export async function readJson(request: IncomingMessage, maxBytes: number): Promise<unknown> {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of request as AsyncIterable<Buffer>) {
    size += piece.length;
    if (size > maxBytes) throw new EndpointError(413, `The body is larger than ${maxBytes} bytes.`);
    pieces.push(piece);
  }
  const json = tryParseJson(Buffer.concat(pieces).toString("utf8"));
  if (json !== undefined) return json;
  throw new EndpointError(400, "The body is not JSON. Send a JSON object with Content-Type: application/json.");
}

/**
 * Validates a body.
 *
 * @param shape a sentence that describes the expected body
 * @throws EndpointError 400 that names the first invalid field
 */
export function parseRequest<Schema extends z.ZodType>(schema: Schema, body: unknown, shape: string): z.output<Schema> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const param = issue?.path.join(".") || "body";
  throw new EndpointError(400, `Invalid '${param}': ${issue?.message}. ${shape}`, { param });
}
