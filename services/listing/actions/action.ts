import type { ListConditions, ListingAction, ListingPayload } from "@agent-backends/contract";
import type { z } from "zod";
import type { ListingSource } from "../upstream/source.ts";

export interface ActionContext {
  source: ListingSource;
  /** IANA zone whose days count if a request names no zone. */
  timezone: string;
  /** Limit if a request names none. */
  maxItems: number;
  /** Milliseconds since the epoch. */
  now: () => number;
}

/** The parameters of an action, before limits apply. Contains only what the request states. */
export interface Wanted extends ListConditions {
  /** The number of items as stated in the message, unclamped. */
  limit?: number | undefined;
  /** Number of items to skip before the requested ones. */
  offset?: number | undefined;
  /** A possible topic: unknown words in the position of a topic. */
  unknown_topic?: string | undefined;
  /** In the grammar of `resolveTimeframe`, which refuses nonexistent dates and the like. A search can't apply it. */
  timeframe?: string | undefined;
  /** An IANA name, or the message's text for the zone. */
  tz?: string | undefined;
  /** The search query as written. */
  query?: string | undefined;
  /** Whether the message asks for the number of launches. */
  counted?: boolean | undefined;
  /** `#RRGGBB`, for confetti. */
  colors?: string[] | undefined;
  /** For confetti, as stated in the message. */
  particleCount?: number | undefined;
}

/** One tool call, within the limits. */
export interface ToolCall {
  tool: ListingAction;
  /** Arguments that clients see. */
  args: object;
  /** The payload, if it is available without waiting. */
  known(): ListingPayload | undefined;
  /** Rejects only when `signal` aborts: if the source fails, the payload says so. Callers share the payload and must not change it. */
  run(signal?: AbortSignal): Promise<ListingPayload>;
  /** The Markdown before the model's text: empty, or text that ends with an empty line. */
  introduce(payload: ListingPayload): string;
  /** The model's task, and the facts that it may use. */
  ground(payload: ListingPayload): Grounding;
}

export interface Grounding {
  task: string;
  facts: object;
}

/** A tool shared by MCP clients, `/tools/<name>` and the agent. */
export interface Tool<Request extends z.ZodType = z.ZodType> {
  title: string;
  /** Written for a model that chooses between tools. */
  description: string;
  /** Input schema for MCP clients and models. `request` validates the input. */
  input: z.ZodObject;
  request: Request;
  /** A valid request that uses every field. Tests send it over HTTP and MCP. */
  example: object;
  /** Whether the tool reads from the listing site. */
  openWorld: boolean;
  /** @throws TimeframeError for a timeframe or zone that doesn't exist */
  call(request: z.output<Request>, context: ActionContext): ToolCall;
}

/** One way to answer a message. */
export interface Action {
  name: ListingAction;
  tool?: Tool;
  /**
   * The call that answers a message, or undefined if only advice can.
   *
   * @throws TimeframeError for a timeframe or zone that doesn't exist
   */
  plan(wanted: Wanted & { message: string }, context: ActionContext): ToolCall | undefined;
}

/** Type-checks an action, then erases its request type, which differs between the actions in the list. */
export function defineAction<Request extends z.ZodType>(action: {
  name: ListingAction;
  tool: Tool<Request>;
  plan: Action["plan"];
}): Action & { tool: Tool<Request> } {
  return action as unknown as Action & { tool: Tool<Request> };
}

export interface Range {
  min: number;
  max: number;
}

export const clamp = (value: number, { min, max }: Range): number => Math.min(max, Math.max(min, value));
