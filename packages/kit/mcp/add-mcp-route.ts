import { randomUUID } from "node:crypto";
import { ProblemError } from "@agent-backends/contract";
import { mcpOperations } from "@agent-backends/contract/openapi";
import type { FastifyReply } from "fastify";
import type { Guard } from "../auth/guard.ts";
import { getPrincipal } from "../auth/principal.ts";
import { addRoute } from "../fastify/add-route.ts";
import type { App } from "../fastify/app.ts";
import { withHeaders } from "../fastify/with-headers.ts";
import { findRefusal } from "./allowed-hosts.ts";
import { RunningCalls } from "./running-calls.ts";
import type { McpOffer } from "./tools.ts";
import { findCalledTool, findCancelledIds, isInitialize } from "./tools.ts";

/**
 * Adds `POST /mcp`: offers tools over the Model Context Protocol (streamable HTTP) with JSON responses. A client sees the tools that its
 * key may call. An invalid input or an error thrown by a tool becomes a result with `isError`, so that the model reads it. A malformed
 * message becomes a JSON-RPC error. A session is just an id with which a client can cancel its calls: the server stores nothing about it.
 *
 * @param options.allowedHosts see `MCP_ALLOWED_HOSTS`
 */
export async function addMcpRoute(
  app: App,
  options: McpOffer & { allowedHosts: readonly string[]; guard: Guard },
): Promise<void> {
  await app.register(async (scope) => {
    // The handler reads the body itself, with any media type, because it checks the request's host first.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", (_request, _body, done) => done(null));
    const running = new RunningCalls();
    addRoute(scope, mcpOperations, "POST /mcp", async (request, reply) => {
      const principal = getPrincipal(request.raw);
      const unknownHost = findRefusal(request.headers, options.allowedHosts);
      if (unknownHost !== undefined) return refuse(reply, 403, unknownHost);
      const { answerMessage, receiveMessage } = await loadMessages();
      let message: unknown;
      try {
        message = await receiveMessage(request.raw);
      } catch (error) {
        // Report a malformed message in the protocol's own format.
        if (!(error instanceof ProblemError)) throw error;
        return refuse(reply, error.status, error.message, error.code === "not-json" ? parseError : invalidRequest);
      }
      const { [sessionHeader]: sessionId } = request.headers;
      const client = typeof sessionId === "string" ? { principalId: principal.id, sessionId } : undefined;
      if (client) for (const requestId of findCancelledIds(message)) running.cancel({ ...client, requestId });
      if (isInitialize(message)) reply.header(sessionHeader, randomUUID());
      const called = findCalledTool(message, options.tools);
      let cancelled: AbortSignal | undefined;
      if (called) {
        if (client) cancelled = running.add({ ...client, requestId: called.requestId }, reply.raw);
        await options.guard.admitPart(request.raw, reply.raw, called.tool.access);
      }
      reply.hijack();
      withHeaders(reply.raw, reply.getHeaders());
      const log = (error: unknown) => request.log.error({ err: error, request_id: request.id }, "an MCP tool failed");
      await answerMessage(options, message, { request: request.raw, response: reply.raw, cancelled, log });
    });
  });
}

/** Loaded with the first message: the protocol's library would take a tenth of the service's start. */
const loadMessages = () => import("./messages.ts");

const sessionHeader = "mcp-session-id";

// https://www.jsonrpc.org/specification#error_object
const [parseError, invalidRequest, serverError] = [-32_700, -32_600, -32_000];

function refuse(reply: FastifyReply, status: number, message: string, code = serverError): FastifyReply {
  return reply.code(status).send({ jsonrpc: "2.0", error: { code, message }, id: null });
}
