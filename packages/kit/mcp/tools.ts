import type { IncomingMessage } from "node:http";
import type { ProblemError } from "@agent-backends/contract";
import { problems } from "@agent-backends/contract";
import { z } from "zod";
import type { Access } from "../auth/guard.ts";
import type { Scope } from "../auth/principal.ts";
import type { Lifecycle } from "../lifecycle.ts";

/** The result of a tool: text for the model, and the same result as data. */
export interface McpToolResult {
  text: string;
  data?: object;
}

/** An MCP tool. */
export interface McpTool<Schema extends z.ZodType = z.ZodType> {
  name: string;
  title: string;
  /** Helps a model choose a tool. */
  description: string;
  /** Shown to clients. */
  input: z.ZodObject;
  /** Validates the input of a call. */
  request: Schema;
  /** Describes `data` of the results. Absent if there are none. */
  response?: z.ZodType;
  /** Access requirements of a call. Tools with the scope `write` change something, all others only read. */
  access: Access & { scope: Scope };
  /** Whether the tool deletes something. */
  isDestructive?: boolean;
  /** Whether the tool reads from outside the service. */
  openWorld?: boolean;
  /**
   * @param call.request the HTTP request that contains the call
   * @param call.signal aborts when the client disconnects, and when the shutdown grace period ends
   */
  run(input: z.output<Schema>, call: { request: IncomingMessage; signal: AbortSignal }): Promise<McpToolResult>;
}

/** Infers the type of the parsed input in `run`. */
export const defineMcpTool = <Schema extends z.ZodType>(tool: McpTool<Schema>): McpTool => tool as unknown as McpTool;

/** Definition of an MCP server. */
export interface McpOffer {
  name: string;
  version: string;
  /** Tells a model how to use the tools together. */
  instructions: string;
  tools: readonly McpTool[];
  /** Converts an error to the problem that a client sees. */
  toProblemError: (error: unknown) => ProblemError;
  lifecycle: Lifecycle;
  /** Interval at which a call that asks for progress gets it. */
  heartbeatMs: number;
}

const requestId = z.union([z.string(), z.number()]);
const callSchema = z.object({
  id: requestId,
  method: z.literal("tools/call"),
  params: z.object({ name: z.string() }),
});

/**
 * The tool that a message calls, if any. Each request may contain one call, because requests are counted per key.
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

/** Ids of the requests that a message cancels. */
export const findCancelledIds = (message: unknown): (string | number)[] =>
  [message].flat().flatMap((one) => cancelSchema.safeParse(one).data?.params.requestId ?? []);

/** Whether a message starts a session. */
export const isInitialize = (message: unknown): boolean =>
  [message].flat().some((one) => (one as { method?: unknown }).method === "initialize");

const progressSchema = z.object({ params: z.object({ _meta: z.object({ progressToken: requestId }) }) });

/** Whether a message is a call that asks for progress. Its answer is a stream of events. */
export const wantsProgress = (message: unknown): boolean => progressSchema.safeParse(message).success;
