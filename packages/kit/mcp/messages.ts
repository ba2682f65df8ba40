import type { IncomingMessage, ServerResponse } from "node:http";
import type { InvalidField, ProblemError } from "@agent-backends/contract";
import { limits, problems } from "@agent-backends/contract";
import { JsonSchemas, problemSchema } from "@agent-backends/contract/openapi";
import { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import type { RequestHandlerExtra } from "@modelcontextprotocol/sdk/shared/protocol.js";
import type { CallToolResult, ServerNotification, ServerRequest, Tool } from "@modelcontextprotocol/sdk/types.js";
import {
  CallToolRequestSchema,
  JSONRPCMessageSchema,
  ListToolsRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { AjvJsonSchemaValidator } from "@modelcontextprotocol/sdk/validation/ajv";
import { z } from "zod";
import { getPrincipal } from "../auth/principal.ts";
import { receiveJson } from "../json-body.ts";
import { getRecord } from "../observability/request-record.ts";
import { getWarnings, isFailure, parseInput } from "../problem.ts";
import type { McpOffer, McpTool, McpToolResult } from "./tools.ts";
import { wantsProgress } from "./tools.ts";

/**
 * Receives a JSON-RPC message, or a batch of messages.
 *
 * @throws ProblemError `not-json`, `too-large`, `unsupported-media-type`, or `bad-request` for an invalid message, or a batch or id that is
 *   too long
 */
export async function receiveMessage(request: IncomingMessage): Promise<unknown> {
  const message = withoutNulls(await receiveJson(request, limits.mcpValues));
  if (message === undefined) throw problems.emptyBody("JSON-RPC message");
  if (Array.isArray(message) && message.length > limits.mcpBatchMessages) {
    throw problems.batchTooLong(message.length);
  }
  const messages = [message].flat();
  if (messages.length === 0 || !messages.every((one) => JSONRPCMessageSchema.safeParse(one).success))
    throw problems.notJsonRpc();
  const ids = messages.map((one) => (one as { id?: unknown } | null)?.id);
  if (ids.some((id) => typeof id === "string" && id.length > limits.mcpIdCharacters)) throw problems.messageIdTooLong();
  return message;
}

/**
 * Some clients and models send null for fields that they leave empty, which the library and some tools refuse. Values inside of an argument
 * stay: in a filter, null is wrong.
 */
function withoutNulls(value: unknown, isArguments = false): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((one) => withoutNulls(one));
  const fields = Object.entries(value).filter(([name, field]) => field !== null || name === "id");
  return Object.fromEntries(
    fields.map(([name, field]) => [name, isArguments ? field : withoutNulls(field, name === "arguments")]),
  );
}

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  /** Aborts when the client cancels the call. */
  cancelled: AbortSignal | undefined;
  /** Called with errors of tools that clients don't see. */
  log(error: unknown): void;
}

/** Answers a message that `receiveMessage` received. */
export async function answerMessage(offer: McpOffer, message: unknown, exchange: Exchange): Promise<void> {
  const { request, response } = exchange;
  const server = createServer(offer, exchange);
  const transport = new StreamableHTTPServerTransport({
    enableJsonResponse: !wantsProgress(message),
    keepAliveMs: offer.heartbeatMs,
  });
  response.once("close", () => void server.close());
  // The class's types don't match its interface under exactOptionalPropertyTypes.
  await server.connect(transport as Parameters<McpServer["connect"]>[0]);
  await transport.handleRequest(request, response, message);
}

/** Shared by all requests: creating a validator costs 0.3 ms, more than a quarter of a small request. */
const jsonSchemaValidator = new AjvJsonSchemaValidator();

function createServer(
  { name, version, instructions, tools, toProblemError, lifecycle, heartbeatMs }: McpOffer,
  { request, cancelled, log }: Exchange,
): McpServer {
  const mcpServer = new McpServer({ name, version }, { jsonSchemaValidator, instructions });
  // Doesn't use the library's tool registry, which drops unknown fields before they can be reported.
  const { server } = mcpServer;
  // Set as an option, this would announce notifications of changed tools, which a server without a stream can't send.
  server.registerCapabilities({ tools: {} });
  const principal = getPrincipal(request);
  const allowed = tools.filter(({ access }) => principal.hasScope(access.scope));
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: allowed.map(describeTool) }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, extra): Promise<CallToolResult> => {
    const signal = cancelled ? AbortSignal.any([extra.signal, cancelled]) : extra.signal;
    const progress = setInterval(sendProgress, heartbeatMs, params._meta?.progressToken, extra, performance.now());
    try {
      const tool = allowed.find((one) => one.name === params.name);
      if (tool === undefined) throw problems.noTool(params.name, allowed);
      const input = parseInput(tool.request, params.arguments ?? {});
      const call = { request, signal: AbortSignal.any([signal, lifecycle.graceEnded]) };
      return toResult(await tool.run(input, call), getWarnings(input));
    } catch (error) {
      const problem = toProblemError(error);
      if (isFailure(problem) && !signal.aborted) log(error);
      const record = getRecord(request);
      if (record && problem.code === "forbidden") record.failure ??= problem.code;
      return {
        isError: true,
        content: [{ type: "text", text: formatProblem(problem) }],
        structuredContent: { ...problem.toJSON() },
      };
    } finally {
      clearInterval(progress);
    }
  });
  return mcpServer;
}

/** Tells the client how many seconds its call has taken, if it asked for that. Clients then wait longer. */
function sendProgress(
  progressToken: string | number | undefined,
  { sendNotification }: Pick<RequestHandlerExtra<ServerRequest, ServerNotification>, "sendNotification">,
  startedAt: number,
): void {
  if (progressToken === undefined) return;
  const progress = (performance.now() - startedAt) / 1_000;
  // Rejects if the client has gone, which ends the call too.
  sendNotification({ method: "notifications/progress", params: { progressToken, progress } }).catch(() => undefined);
}

const describedTools = new WeakMap<McpTool, Tool>();

function describeTool(tool: McpTool): Tool {
  const existing = describedTools.get(tool);
  if (existing) return existing;
  const { name, title, description, input, access, response, isDestructive = false, openWorld = false } = tool;
  const readOnlyHint = access.scope !== "write";
  const described: Tool = {
    name,
    title,
    description,
    inputSchema: z.toJSONSchema(input, { io: "input" }) as Tool["inputSchema"],
    ...(response && { outputSchema: describeOutput(response) }),
    annotations: { readOnlyHint, openWorldHint: openWorld, ...(!readOnlyHint && { destructiveHint: isDestructive }) },
  };
  describedTools.set(tool, described);
  return described;
}

/** Clients check failures too, whose data is a problem. Older ones know neither references into a document nor newer dialects of JSON Schema. */
function describeOutput(response: z.ZodType): Tool["outputSchema"] {
  const schemas = new JsonSchemas(new Map());
  return { type: "object", anyOf: [response, problemSchema].map((schema) => schemas.convert(schema, "output")) };
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
