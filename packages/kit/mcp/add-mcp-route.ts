import type { IncomingMessage } from "node:http";
import type { InvalidField } from "@agent-backends/contract";
import { limits, ProblemError, problems } from "@agent-backends/contract";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import type { CallToolResult, Tool } from "@modelcontextprotocol/sdk/types.js";
import {
  CallToolRequestSchema,
  JSONRPCMessageSchema,
  ListToolsRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/ajv";
import type { FastifyReply } from "fastify";
import { z } from "zod";
import type { Access, Guard } from "../auth/guard.ts";
import type { Scope } from "../auth/principal.ts";
import { getPrincipal } from "../auth/principal.ts";
import type { App } from "../fastify/app.ts";
import { withHeaders } from "../fastify/with-headers.ts";
import { receiveJson } from "../json-body.ts";
import type { Lifecycle } from "../lifecycle.ts";
import { getWarnings, parseInput } from "../problem.ts";
import { findRefusal } from "./allowed-hosts.ts";

/** The result of a tool: text for the model, and the same as data. */
export interface McpToolResult {
  text: string;
  data?: object;
}

/** A tool as MCP clients see it. */
export interface McpTool<Schema extends z.ZodType = z.ZodType> {
  name: string;
  title: string;
  /** Helps a model choose a tool. */
  description: string;
  /** Shown to clients. */
  input: z.ZodObject;
  /** Checks the input of a call. */
  request: Schema;
  /** What a call requires of its key. Tools with the scope `write` change something, all others only read. */
  access: Access & { scope: Scope };
  /** Whether it deletes something. */
  isDestructive?: boolean;
  /** Whether it reads from outside the service. */
  openWorld?: boolean;
  /** The namespaces of an input, for a check before the call. An invalid input has none. */
  namespacesOf?(input: unknown): readonly string[];
  /**
   * @param call.request the HTTP request with the call
   * @param call.signal aborts when the client goes away, and when the shutdown grace period ends
   */
  run(input: z.output<Schema>, call: { request: IncomingMessage; signal: AbortSignal }): Promise<McpToolResult>;
}

/** Gives `run` the type of the parsed input. */
export const defineMcpTool = <Schema extends z.ZodType>(tool: McpTool<Schema>): McpTool => tool as unknown as McpTool;

/**
 * `POST /mcp`: offers tools by the Model Context Protocol over streamable HTTP, without sessions, with JSON answers. A client sees
 * the tools that its key may call. An invalid input and an error that a tool throws become a result with `isError`, so that the
 * model reads it. A malformed message is a JSON-RPC error.
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
    guard: Guard;
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
      const called = findCalledTool(message, options.tools);
      if (called) {
        await options.guard.admitPart(request.raw, reply.raw, called.tool.access);
        for (const namespace of called.tool.namespacesOf?.(called.input) ?? []) principal.requireNamespace(namespace);
      }
      reply.hijack();
      withHeaders(reply.raw, reply.getHeaders());
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
 * @throws ProblemError `not-json`, `too-large`, `unsupported-media-type`, or `bad-request` for what is no message, a long batch or id
 */
async function receiveMessage(request: IncomingMessage): Promise<unknown> {
  const message = await receiveJson(request, limits.mcpValues);
  if (message === undefined) throw problems.emptyBody("JSON-RPC message");
  if (Array.isArray(message) && message.length > limits.mcpBatchMessages) {
    throw problems.batchTooLong(message.length);
  }
  if (![message].flat().every((one) => JSONRPCMessageSchema.safeParse(one).success)) throw problems.notJsonRpc();
  const ids = [message].flat().map((one) => (one as { id?: unknown } | null)?.id);
  if (ids.some((id) => typeof id === "string" && id.length > limits.mcpIdCharacters)) throw problems.messageIdTooLong();
  return message;
}

const callSchema = z.object({
  method: z.literal("tools/call"),
  params: z.object({ name: z.string(), arguments: z.unknown().optional() }),
});

/**
 * The tool that a message calls, if there is one. Each request may call one, because a key's requests are counted.
 *
 * @throws ProblemError `bad-request` for several calls
 */
function findCalledTool(message: unknown, tools: readonly McpTool[]): { tool: McpTool; input: unknown } | undefined {
  const [call, ...others] = [message].flat().flatMap((one) => callSchema.safeParse(one).data ?? []);
  if (others.length > 0) throw problems.severalToolCalls();
  const tool = tools.find(({ name }) => name === call?.params.name);
  return tool && { tool, input: call?.params.arguments };
}

// https://www.jsonrpc.org/specification#error_object
const [parseError, invalidRequest, serverError] = [-32_700, -32_600, -32_000];

function refuse(reply: FastifyReply, status: number, message: string, code = serverError): FastifyReply {
  return reply.code(status).send({ jsonrpc: "2.0", error: { code, message }, id: null });
}

/** Shared, because making one costs 0.3 ms, more than a quarter of a small request. */
const jsonSchemaValidator = new AjvJsonSchemaValidator();

function createServer(
  { name, version, tools, problemOf, lifecycle }: Parameters<typeof addMcpRoute>[1],
  request: IncomingMessage,
  log: (error: unknown) => void,
): McpServer {
  const mcpServer = new McpServer({ name, version }, { jsonSchemaValidator });
  // Without the library's own registry of tools, which drops unknown fields before they can be reported.
  const { server } = mcpServer;
  // As an option this would promise notifications of changed tools, which a server without a stream can't send.
  server.registerCapabilities({ tools: {} });
  const principal = getPrincipal(request);
  const allowed = tools.filter(({ access }) => principal.has(access.scope));
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: allowed.map(describeTool) }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal }): Promise<CallToolResult> => {
    try {
      const tool = allowed.find((one) => one.name === params.name);
      if (tool === undefined) throw problems.noTool(params.name, allowed);
      const input = parseInput(tool.request, params.arguments ?? {});
      const call = { request, signal: AbortSignal.any([signal, lifecycle.graceEnded]) };
      return toResult(await tool.run(input, call), getWarnings(input));
    } catch (error) {
      const problem = problemOf(error);
      if (problem.status >= 500 && !signal.aborted) log(error);
      return {
        isError: true,
        content: [{ type: "text", text: formatProblem(problem) }],
        structuredContent: { ...problem.toJSON() },
      };
    }
  });
  return mcpServer;
}

const describedTools = new WeakMap<McpTool, Tool>();

function describeTool(tool: McpTool): Tool {
  const existing = describedTools.get(tool);
  if (existing) return existing;
  const { name, title, description, input, access, isDestructive = false, openWorld = false } = tool;
  const readOnlyHint = access.scope !== "write";
  const described: Tool = {
    name,
    title,
    description,
    inputSchema: z.toJSONSchema(input, { io: "input" }) as Tool["inputSchema"],
    annotations: { readOnlyHint, openWorldHint: openWorld, ...(!readOnlyHint && { destructiveHint: isDestructive }) },
  };
  describedTools.set(tool, described);
  return described;
}

function toResult({ text, data }: McpToolResult, warnings: readonly InvalidField[]): CallToolResult {
  const ignored = warnings.map(({ pointer, detail }) => `\n\n${pointer}: ${detail}`);
  return {
    content: [{ type: "text", text: [text, ...ignored].join("") }],
    ...(data && { structuredContent: { ...data, ...(warnings.length > 0 && { warnings }) } }),
  };
}

function formatProblem({ message, errors }: ProblemError): string {
  const details = (errors ?? []).filter(({ detail }) => !message.includes(detail));
  return [message, ...details.map(({ pointer, detail }) => `${pointer}: ${detail}`)].join("\n");
}
