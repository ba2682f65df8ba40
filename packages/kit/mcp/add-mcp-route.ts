import type { IncomingMessage } from "node:http";
import { limits, ProblemError, problems } from "@agent-backends/contract";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import type { FastifyReply } from "fastify";
import { z } from "zod";
import type { Principal, Scope } from "../auth/principal.ts";
import { getPrincipal } from "../auth/principal.ts";
import type { App } from "../fastify/app.ts";
import { receiveJson } from "../json-body.ts";
import type { Lifecycle } from "../lifecycle.ts";
import { findRefusal } from "./allowed-hosts.ts";

/** The result of a tool: text for the model, and the same as data. */
export interface McpToolResult {
  text: string;
  data?: object;
}

/** A tool as MCP clients see it. */
export interface McpTool {
  name: string;
  title: string;
  /** Helps a model choose a tool. */
  description: string;
  /** Shown to clients, and checked before `run`, which checks the rest. It must not check every element of a list. */
  input: z.ZodObject;
  /** Whether it reads from outside the service. No tool changes anything. */
  openWorld: boolean;
  /** The scope that a key needs to call it. */
  scope: Scope;
  /** The namespace of an input, or undefined if it has no valid one. */
  namespaceOf?(input: unknown): string | undefined;
  /**
   * @param signal aborts when the client goes away, and when the shutdown grace period ends
   * @param request the HTTP request that called it
   */
  run(input: unknown, signal: AbortSignal, request: IncomingMessage): Promise<McpToolResult>;
}

/**
 * `POST /mcp`: offers tools by the Model Context Protocol over streamable HTTP, without sessions, with JSON answers. An error that a
 * tool throws becomes a result with `isError`, so that the model reads it. A malformed message is a JSON-RPC error.
 *
 * @param options.problemOf the problem that a client sees for an error
 * @param options.allowedHosts see `MCP_ALLOWED_HOSTS`
 */
export async function addMcpRoute(
  app: App,
  options: {
    name: string;
    version: string;
    tools: readonly McpTool[];
    problemOf: (error: unknown) => ProblemError;
    allowedHosts: readonly string[];
    lifecycle: Lifecycle;
  },
): Promise<void> {
  await app.register(async (scope) => {
    // The handler reads the body itself, of any media type, because it checks the request's host first.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", (_request, _body, done) => done(null));
    scope.post("/mcp", { config: { access: { takes: "stream" } } }, async (request, reply) => {
      const principal = getPrincipal(request.raw);
      const unknownHost = findRefusal(request.headers, options.allowedHosts);
      if (unknownHost !== undefined) return refuse(reply, 403, unknownHost);
      let message: unknown;
      try {
        message = await receiveMessage(request.raw);
      } catch (error) {
        // A malformed message is answered in the protocol's own format.
        if (!(error instanceof ProblemError)) throw error;
        return refuse(reply, error.status, error.message, error.code === "not-json" ? parseError : invalidRequest);
      }
      requireAllowedCall(principal, options.tools, message);
      reply.hijack();
      for (const [name, value] of Object.entries(reply.getHeaders())) {
        if (value !== undefined) reply.raw.setHeader(name, value);
      }
      const server = createServer(options, request.raw, (error) =>
        request.log.error({ err: error, request_id: request.id }, "an MCP tool failed"),
      );
      const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
      reply.raw.once("close", () => void server.close());
      // The class's types don't match its interface under exactOptionalPropertyTypes.
      await server.connect(transport as Parameters<McpServer["connect"]>[0]);
      await transport.handleRequest(request.raw, reply.raw, message);
    });
  });
}

/**
 * Receives a JSON-RPC message, or a batch of messages.
 *
 * @throws ProblemError `not-json`, `too-large`, `unsupported-media-type`, or `bad-request` for a long batch
 */
async function receiveMessage(request: IncomingMessage): Promise<unknown> {
  const message = await receiveJson(request, limits.mcpValues);
  if (message === undefined) throw problems.emptyBody("JSON-RPC message");
  if (Array.isArray(message) && message.length > limits.mcpBatchMessages) {
    throw problems.batchTooLong(message.length);
  }
  return message;
}

const callSchema = z.object({
  method: z.literal("tools/call"),
  params: z.object({ name: z.string(), arguments: z.unknown().optional() }),
});

/**
 * Each request may call one tool, because a key's requests are counted.
 *
 * @throws ProblemError `forbidden` if the key may not call the tool, `bad-request` for several calls
 */
function requireAllowedCall(principal: Principal, tools: readonly McpTool[], message: unknown): void {
  let calls = 0;
  for (const one of [message].flat()) {
    const call = callSchema.safeParse(one);
    if (!call.success) continue;
    calls += 1;
    const tool = tools.find(({ name }) => name === call.data.params.name);
    if (tool) requireTool(principal, tool, call.data.params.arguments);
  }
  if (calls > 1) throw problems.severalToolCalls();
}

function requireTool(principal: Principal, tool: McpTool, input: unknown): void {
  principal.requireScope(tool.scope);
  const namespace = tool.namespaceOf?.(input);
  if (namespace !== undefined) principal.requireNamespace(namespace);
}

// https://www.jsonrpc.org/specification#error_object
const [parseError, invalidRequest, serverError] = [-32_700, -32_600, -32_000];

function refuse(reply: FastifyReply, status: number, message: string, code = serverError): FastifyReply {
  return reply.code(status).send({ jsonrpc: "2.0", error: { code, message }, id: null });
}

function createServer(
  { name, version, tools, problemOf, lifecycle }: Parameters<typeof addMcpRoute>[1],
  request: IncomingMessage,
  log: (error: unknown) => void,
): McpServer {
  const server = new McpServer({ name, version });
  for (const tool of tools) {
    const annotations = { readOnlyHint: true, openWorldHint: tool.openWorld };
    const { title, description, input } = tool;
    const definition = { title, description, inputSchema: input.shape, annotations };
    server.registerTool(tool.name, definition, async (args, { signal }): Promise<CallToolResult> => {
      try {
        requireTool(getPrincipal(request), tool, args);
        const { text, data } = await tool.run(args, AbortSignal.any([signal, lifecycle.graceEnded]), request);
        return {
          content: [{ type: "text", text }],
          ...(data && { structuredContent: data as Record<string, unknown> }),
        };
      } catch (error) {
        const problem = problemOf(error);
        if (problem.status >= 500 && !signal.aborted) log(error);
        return { isError: true, content: [{ type: "text", text: formatProblem(problem) }] };
      }
    });
  }
  return server;
}

function formatProblem({ message, errors }: ProblemError): string {
  const details = (errors ?? []).filter(({ detail }) => detail !== message);
  return [message, ...details.map(({ pointer, detail }) => `${pointer}: ${detail}`)].join("\n");
}
