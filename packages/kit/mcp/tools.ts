import type { IncomingMessage } from "node:http";
import type { ProblemError } from "@agent-backends/contract";
import { problems } from "@agent-backends/contract";
import { z } from "zod";
import type { Access } from "../auth/guard.ts";
import type { Scope } from "../auth/principal.ts";
import type { Lifecycle } from "../lifecycle.ts";

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
  /**
   * @param call.request the HTTP request with the call
   * @param call.signal aborts when the client goes away, and when the shutdown grace period ends
   */
  run(input: z.output<Schema>, call: { request: IncomingMessage; signal: AbortSignal }): Promise<McpToolResult>;
}

/** Gives `run` the type of the parsed input. */
export const defineMcpTool = <Schema extends z.ZodType>(tool: McpTool<Schema>): McpTool => tool as unknown as McpTool;

/** A server of the Model Context Protocol. */
export interface McpOffer {
  name: string;
  version: string;
  tools: readonly McpTool[];
  /** The problem that a client sees for an error. */
  problemOf: (error: unknown) => ProblemError;
  lifecycle: Lifecycle;
}

const requestId = z.union([z.string(), z.number()]);
const callSchema = z.object({
  id: requestId,
  method: z.literal("tools/call"),
  params: z.object({ name: z.string() }),
});

/**
 * The tool that a message calls, if there is one. Each request may call one, because a key's requests are counted.
 *
 * @throws ProblemError `bad-request` for several calls
 */
export function findCalledTool(
  message: unknown,
  tools: readonly McpTool[],
): { tool: McpTool; requestId: string | number } | undefined {
  const [call, ...others] = [message].flat().flatMap((one) => callSchema.safeParse(one).data ?? []);
  if (others.length > 0) throw problems.severalToolCalls();
  const tool = tools.find(({ name }) => name === call?.params.name);
  return call && tool && { tool, requestId: call.id };
}

const cancelSchema = z.object({
  method: z.literal("notifications/cancelled"),
  params: z.object({ requestId }),
});

/** The ids of the requests that a message cancels. */
export const findCancelledIds = (message: unknown): (string | number)[] =>
  [message].flat().flatMap((one) => cancelSchema.safeParse(one).data?.params.requestId ?? []);

/** Whether a message begins a session. */
export const isInitialize = (message: unknown): boolean =>
  [message].flat().some((one) => (one as { method?: unknown }).method === "initialize");
