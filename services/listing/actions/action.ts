import type { ListingAction, ListingPayload } from "@agent-backends/contract";
import type { z } from "zod";
import type { ListingSource } from "../upstream/source.ts";

/** What actions are carried out with. */
export interface ActionContext {
  source: ListingSource;
  /** Days are those of this IANA zone where a request names none. */
  timezone: string;
  /** The limit where a request names none. */
  maxItems: number;
  /** Milliseconds since the epoch. */
  now: () => number;
}

/** What a message asks for, limits not applied yet. Only what is stated is present. */
export interface Wanted {
  message: string;
  limit?: number | undefined;
  /** How many launches of the list come before those that are wanted. */
  offset?: number | undefined;
  timeframe?: string | undefined;
  tz?: string | undefined;
  query?: string | undefined;
  /** What the launches of a time are about. */
  topic?: string | undefined;
  /** The fewest votes first. */
  ascending?: boolean | undefined;
  /** The message asks how many there are. */
  counted?: boolean | undefined;
  /** Hex colours. */
  colors?: string[] | undefined;
  particleCount?: number | undefined;
}

/** One call of a tool, within the limits. */
export interface ToolCall {
  tool: ListingAction;
  /** As clients see them. */
  args: object;
  /** The payload that `run` would give, if it needs no waiting. */
  known(): ListingPayload | undefined;
  /**
   * Never throws for what the source does, only when `signal` aborts. Callers share the payload: don't change it.
   */
  run(signal?: AbortSignal): Promise<ListingPayload>;
  /** What the reply says before the model's words, in Markdown: empty, or ended by an empty line. */
  introduce(payload: ListingPayload): string;
  /** What the model is told to do with the payload, and the facts it may use. */
  ground(payload: ListingPayload): Grounding;
}

export interface Grounding {
  task: string;
  facts: object;
}

/** A tool as MCP clients, `/tools/<name>` and the agent share it. */
export interface Tool<Request extends z.ZodType = z.ZodType> {
  title: string;
  /** Written for a model that has to choose a tool. */
  description: string;
  /** What MCP clients are told to send. `request` checks it. */
  input: z.ZodObject;
  request: Request;
  /** Whether it reads from the listing site. */
  openWorld: boolean;
  /** @throws TimeframeError for a timeframe or zone that doesn't exist */
  call(request: z.output<Request>, context: ActionContext): ToolCall;
}

/** One thing that the agent does about a message. */
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

/** Keeps the type of the request while the action joins a list of different ones. */
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
