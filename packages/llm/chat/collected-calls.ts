import { tryParseJson } from "../json.ts";
import type { ToolCallDelta } from "./completion-chunk.ts";
import type { AnswerTool } from "./messages.ts";
import type { ToolCallListener } from "./tool-calls.ts";
import { ToolCalls } from "./tool-calls.ts";

/** A complete tool call, and whether it fits the tool's schema. */
export interface CollectedCall {
  id: string;
  name: string;
  /** The output of the tool's schema, or the model's original arguments if they don't fit. */
  args: unknown;
  fits: boolean;
}

export class CollectedCalls implements ToolCallListener {
  readonly #tools: Readonly<Record<string, AnswerTool>>;
  readonly #deltas: ToolCalls;
  readonly #texts = new Map<string, { name: string; text: string }>();

  /**
   * @param round makes generated ids unique across the rounds of an answer
   * @param usedIds ids of earlier calls, to which those of the new ones are added: some providers count them from 0 in each round
   */
  constructor(tools: Readonly<Record<string, AnswerTool>>, round: number, usedIds: Set<string>) {
    let made = 0;
    this.#tools = tools;
    this.#deltas = new ToolCalls(this, {
      newId: () => `call_${round}_${made++}`,
      usedIds,
      toolNames: Object.keys(tools),
    });
  }

  /** Number of calls that are left out because they have no name. */
  get unnamed(): number {
    return this.#deltas.unnamed;
  }

  /** @throws ToolCallError */
  add(delta: ToolCallDelta): void {
    this.#deltas.delta(delta);
  }

  toolCallStarted(toolCallId: string, name: string): void {
    this.#texts.set(toolCallId, { name, text: "" });
  }

  toolCallArguments(toolCallId: string, delta: string): void {
    const call = this.#texts.get(toolCallId);
    if (call) call.text += delta;
  }

  /**
   * Returns all calls with a name, in the order in which they began.
   *
   * @throws ToolCallError if no call has one
   */
  finish(): CollectedCall[] {
    this.#deltas.end();
    return [...this.#texts].map(([id, { name, text }]) => {
      const args = text.trim() === "" ? {} : (tryParseJson(text) ?? text);
      const tool = Object.hasOwn(this.#tools, name) ? this.#tools[name] : undefined;
      const read = tool?.inputSchema.safeParse(args);
      return { id, name, fits: read?.success === true, args: read?.data ?? args };
    });
  }
}
