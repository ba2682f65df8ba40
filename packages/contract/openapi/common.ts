import { z } from "zod";
import { healthSchema, readySchema } from "../probes.ts";
import type { Operations } from "./operation.ts";

/** Routes that every service has. `health` adds the service's own fields. */
export const serviceOperations = (health: z.ZodRawShape) =>
  ({
    "GET /health": {
      id: "getHealth",
      tag: "Service",
      summary: "Whether the process lives",
      access: "probe",
      answers: { 200: { description: "It does.", json: healthSchema.extend(health) } },
    },
    "GET /ready": {
      id: "getReadiness",
      tag: "Service",
      summary: "Whether the service can do its work",
      description:
        "Answers at once with what is known. A failing model provider is `degraded` in the body and no 503, because that would take every replica out of rotation at the same time.",
      access: "probe",
      answers: { 200: { description: "It can.", json: readySchema } },
      problems: ["unavailable"],
    },
    "GET /openapi.json": {
      id: "getOpenApi",
      tag: "Service",
      summary: "This document",
      access: "open",
      headers: { "If-None-Match": "The `ETag` of the document that the client has." },
      answers: {
        200: { description: "The OpenAPI document.", headers: ["ETag"], json: z.looseObject({ openapi: z.string() }) },
        304: { description: "The client has it.", headers: ["ETag"] },
      },
    },
    "GET /docs": {
      id: "getDocs",
      tag: "Service",
      summary: "A page that shows this document",
      access: "open",
      headers: { "If-None-Match": "The `ETag` of the page that the client has." },
      answers: {
        200: { description: "The page.", headers: ["ETag"], text: "text/html" },
        304: { description: "The client has it.", headers: ["ETag"] },
      },
    },
  }) as const satisfies Operations;

const id = z.union([z.string(), z.number()]);
const jsonRpcMessage = z.object({
  jsonrpc: z.literal("2.0"),
  id: id.optional().describe("Absent in notifications."),
  method: z.string(),
  params: z.looseObject({}).optional(),
});
const jsonRpcError = z.object({
  jsonrpc: z.literal("2.0"),
  id: id.nullable(),
  error: z.object({ code: z.int(), message: z.string(), data: z.unknown().optional() }),
});
const jsonRpcResult = z.object({ jsonrpc: z.literal("2.0"), id, result: z.looseObject({}) });
const oneOrMore = <Schema extends z.ZodType>(schema: Schema) => z.union([schema, z.array(schema)]);

const refused = (description: string) => ({ description, json: jsonRpcError });

export const mcpOperations = {
  "POST /mcp": {
    id: "callMcp",
    tag: "MCP",
    summary: "The service's tools by the Model Context Protocol",
    description:
      "Streamable HTTP with JSON answers. The list has the tools that the key may call. An invalid input and a tool's error are a result with `isError`.",
    access: "key",
    takes: "stream",
    headers: { Accept: "`application/json, text/event-stream`, as the protocol demands." },
    body: {
      schema: oneOrMore(jsonRpcMessage),
      examples: { "list of tools": { jsonrpc: "2.0", id: 1, method: "tools/list" } },
    },
    hasOwnBodyErrors: true,
    answers: {
      200: {
        description: "The responses.",
        headers: ["Mcp-Session-Id"],
        json: oneOrMore(z.union([jsonRpcResult, jsonRpcError])),
      },
      202: { description: "Only notifications were sent." },
      400: refused("The message can't be read."),
      403: refused("The host is unknown; see `MCP_ALLOWED_HOSTS`."),
      406: refused("The client doesn't accept the media types."),
      413: refused("The message is over a limit."),
      415: refused("The body isn't JSON."),
    },
  },
} as const satisfies Operations;
