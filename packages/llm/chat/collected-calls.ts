import type { ToolCallDelta } from "./completion-chunk.ts";
import type { ToolCallListener } from "./tool-calls.ts";
import { ToolCalls } from "./tool-calls.ts";
import type { AnswerTool } from "./types.ts";

/** A call as the model made it, and whether it fits the tool. */
export interface CollectedCall {
  id: string;
  name: string;
  /** As the tool's schema reads them; as the model sent them where the call does not fit. */
  args: unknown;
  fits: boolean;
}

/** Gathers the whole calls of one completion. */
export class CollectedCalls implements ToolCallListener {
  readonly #tools: Readonly<Record<string, AnswerTool>>;
  readonly #deltas: ToolCalls;
  readonly #texts = new Map<string, { name: string; text: string }>();
  /** Places of the ids that came without an index. */
  readonly #places = new Map<string, number>();

  /** @param round gives calls without an id one that is not an earlier round's */
  constructor(tools: Readonly<Record<string, AnswerTool>>, round: number) {
    let made = 0;
    this.#tools = tools;
    this.#deltas = new ToolCalls(this, {
      newId: () => `call_${round}_${made++}`,
      uniqueIds: true,
      toolNames: Object.keys(tools),
    });
  }

  /** @throws UnnamedToolCallError */
  add(delta: ToolCallDelta): void {
    const { id } = delta;
    if (delta.index === undefined && id !== undefined) {
      // Calls that are told apart by their ids alone may take turns.
      const index = this.#places.get(id) ?? this.#places.size;
      this.#places.set(id, index);
      this.#deltas.delta({ ...delta, index });
    } else {
      this.#deltas.delta(delta);
    }
  }

  toolCallStarted(toolCallId: string, name: string): void {
    this.#texts.set(toolCallId, { name, text: "" });
  }

  toolCallArguments(toolCallId: string, delta: string): void {
    const call = this.#texts.get(toolCallId);
    if (call) call.text += delta;
  }

  toolCallEnded(): void {
    // Nobody is told of a call before all are whole.
  }

  /** All calls that have a name, in the order in which they began. */
  finish(): CollectedCall[] {
    this.#deltas.end();
    return [...this.#texts].map(([id, { name, text }]) => {
      const args = parsed(text);
      const tool = Object.hasOwn(this.#tools, name) ? this.#tools[name] : undefined;
      const read = tool?.inputSchema.safeParse(args);
      return { id, name, fits: read?.success === true, args: read?.data ?? args };
    });
  }
}

function parsed(text: string): unknown {
  try {
    return text.trim() === "" ? {} : JSON.parse(text);
  } catch {
    return text;
  }
}
