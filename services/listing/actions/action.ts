import type { ListConditions, ListingAction, ListingPayload } from "@agent-backends/contract";
import type { z } from "zod";
import type { ListingSource } from "../upstream/source.ts";

export interface ActionContext {
  source: ListingSource;
  /** Days are those of this IANA zone where a request names none. */
  timezone: string;
  /** The limit where a request names none. */
  maxItems: number;
  /** Milliseconds since the epoch. */
  now: () => number;
}

/** What a message asks for, before limits apply. Holds only what the message states. */
export interface Wanted extends ListConditions {
  message: string;
  limit?: number | undefined;
  /** The number of launches to skip at the beginning of the list. */
  offset?: number | undefined;
  /** What the launches may have to be about. */
  unknown_topic?: string | undefined;
  timeframe?: string | undefined;
  tz?: string | undefined;
  query?: string | undefined;
  /** The message asks for the number of launches. */
  counted?: boolean | undefined;
  /** Hex colours. */
  colors?: string[] | undefined;
  particleCount?: number | undefined;
}

/** One call of a tool, within the limits. */
export interface ToolCall {
  tool: ListingAction;
  /** The arguments that clients see. */
  args: object;
  /** The payload, if it is available without waiting. */
  known(): ListingPayload | undefined;
  /**
   * Rejects only when `signal` aborts: a failing source gives a payload that says so. Callers share the payload and must not change it.
   */
  run(signal?: AbortSignal): Promise<ListingPayload>;
  /** The Markdown before the model's words: empty, or text that ends with an empty line. */
  introduce(payload: ListingPayload): string;
  /** The model's task, and the facts that it may use. */
  ground(payload: ListingPayload): Grounding;
}

export interface Grounding {
  task: string;
  facts: object;
}

/** A tool that MCP clients, `/tools/<name>` and the agent share. */
export interface Tool<Request extends z.ZodType = z.ZodType> {
  title: string;
  /** Written for a model that has to choose a tool. */
  description: string;
  /** The input schema that MCP clients and models see. `request` validates the input. */
  input: z.ZodObject;
  request: Request;
  /** A valid request that uses every field. Tests send it over HTTP and MCP. */
  example: object;
  /** Whether it reads from the listing site. */
  openWorld: boolean;
  /** @throws TimeframeError for a timeframe or zone that doesn't exist */
  call(request: z.output<Request>, context: ActionContext): ToolCall;
}

/** One way to answer a message. */
export interface Action {
  name: ListingAction;
  tool?: Tool;
  /**
   * The call that answers a message, or undefined when only advice can.
   *
   * @throws TimeframeError for a timeframe or zone that doesn't exist
   */
  plan(wanted: Wanted, context: ActionContext): ToolCall | undefined;
}

/** Checks the types of an action whose request differs from those of the other actions in the list. */
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
