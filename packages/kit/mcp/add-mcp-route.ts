import type { ServerResponse } from "node:http";
import { limits } from "@agent-backends/contract";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import type { CallToolResult } from "@modelcontextprotocol/sdk/types.js";
import type { z } from "zod";
import type { App } from "../fastify/create-fastify.ts";
import type { Lifecycle } from "../lifecycle.ts";
import type { ProblemError } from "../problem.ts";
import { refusalOf } from "./allowed-hosts.ts";

/** What a tool gives: a text for the model, and the same as data. */
export interface McpToolResult {
  text: string;
  data?: object;
}

/** A tool as MCP clients see it. */
export interface McpTool {
  name: string;
  title: string;
  /** Written for a model that has to choose a tool. */
  description: string;
  input: z.ZodObject;
  /** It reads from outside the service; it changes nothing. */
  openWorld: boolean;
  /** @param signal aborts when the client goes away, and when the time to shut down is over */
  run(input: unknown, signal: AbortSignal): Promise<McpToolResult>;
}

/**
 * `POST /mcp`: tools by the Model Context Protocol over streamable HTTP, without sessions, each answer as JSON. What a tool throws
 * becomes a result with `isError`, so that the model reads it; what is wrong with the message is a JSON-RPC error.
 *
 * @param options.problemOf what a client may know of an error
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
    // The transport reads the body itself, so that what is wrong with it is said in the protocol's words.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", (_request, _body, done) => done(null));
    scope.post("/mcp", async (request, reply) => {
      reply.hijack();
      for (const [name, value] of Object.entries(reply.getHeaders())) {
        if (value !== undefined) reply.raw.setHeader(name, value);
      }
      const refusal = refusalOf(request.headers, options.allowedHosts);
      if (refusal !== undefined) return refuse(reply.raw, refusal);
      const server = serverFor(options, (error) => request.log.error({ err: error }, "an MCP tool failed"));
      const transport = new StreamableHTTPServerTransport({
        enableJsonResponse: true,
        maxRequestBodySize: limits.bodyBytes,
      });
      reply.raw.once("close", () => void server.close());
      // Its types allow undefined where the interface's, under exactOptionalPropertyTypes, do not.
      await server.connect(transport as Parameters<McpServer["connect"]>[0]);
      await transport.handleRequest(request.raw, reply.raw);
    });
  });
}

const forbidden = 403;
const serverError = -32_000;

function refuse(response: ServerResponse, message: string): void {
  response.writeHead(forbidden, { "Content-Type": "application/json" });
  response.end(JSON.stringify({ jsonrpc: "2.0", error: { code: serverError, message }, id: null }));
}

function serverFor(
  { name, version, tools, problemOf, lifecycle }: Parameters<typeof addMcpRoute>[1],
  log: (error: unknown) => void,
): McpServer {
  const server = new McpServer({ name, version });
  for (const tool of tools) {
    const annotations = { readOnlyHint: true, openWorldHint: tool.openWorld };
    const { title, description, input } = tool;
    const definition = { title, description, inputSchema: input.shape, annotations };
    server.registerTool(tool.name, definition, async (args, { signal }): Promise<CallToolResult> => {
      try {
        const { text, data } = await tool.run(args, AbortSignal.any([signal, lifecycle.graceEnded]));
        return {
          content: [{ type: "text", text }],
          ...(data && { structuredContent: data as Record<string, unknown> }),
        };
      } catch (error) {
        const problem = problemOf(error);
        if (problem.status >= 500 && !signal.aborted) log(error);
        return { isError: true, content: [{ type: "text", text: sentenceOf(problem) }] };
      }
    });
  }
  return server;
}

function sentenceOf({ message, errors }: ProblemError): string {
  const details = (errors ?? []).filter(({ detail }) => detail !== message);
  return [message, ...details.map(({ pointer, detail }) => `${pointer}: ${detail}`)].join("\n");
}
