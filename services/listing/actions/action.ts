import type { ListConditions, ListingAction, ListingPayload, ListingTool } from "@agent-backends/contract";
import type { z } from "zod";
import type { Chart } from "../routing/text/chart.ts";
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
  /** The payload has nothing to explain, so the model also gives advice. */
  isEmpty?: boolean;
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

/**
 * How an action answers. Combined requests and follow-ups depend on this, not on the action's name:
 *
 * - `ranking`: the launches of a time, or of all time, in the site's order
 * - `search`: the launches that match a query, of all time
 * - `effect`: something on the user's screen; a follow-up may still refer to the list before it
 * - `advice`: the model's text alone
 */
export type ActionKind = "ranking" | "search" | "effect" | "advice";

/** One way to answer a message. */
export interface Action {
  name: ListingAction;
  kind: ActionKind;
  /** Completes "I can …" in an answer to a message that has nothing to do with launches. */
  ability: string;
  /** Messages that name the action, such as "/top". */
  command: RegExp;
  /** The concept in `routing/languages/` whose words ask for the action. */
  concept: string;
  /** Range of a list's `limit`. */
  range?: Range;
  /** Finds an effect's parameters in a message. */
  readParameters?(chart: Chart): Partial<Wanted>;
  /**
   * The call that answers a message, or undefined if only advice can.
   *
   * @throws TimeframeError for a timeframe or zone that doesn't exist
   */
  plan(wanted: Wanted & { message: string }, context: ActionContext): ToolCall | undefined;
}

/** An action that calls a tool. */
export interface ToolAction extends Action {
  name: ListingTool;
  tool: Tool;
}

/** Type-checks an action, then erases its request type, which differs between the actions in the list. */
export function defineAction<Request extends z.ZodType>(
  action: Omit<ToolAction, "tool"> & { tool: Tool<Request> },
): ToolAction {
  return action as unknown as ToolAction;
}

export interface Range {
  min: number;
  max: number;
}

export const clamp = (value: number, { min, max }: Range): number => Math.min(max, Math.max(min, value));
