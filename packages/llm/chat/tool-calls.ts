import type { ToolCallDelta } from "./completion-chunk.ts";
import type { AnswerTool } from "./types.ts";

/** A call as the model made it, and whether it fits the tool. */
export interface ToolCall {
  id: string;
  name: string;
  /** As the tool's schema reads them; as the model sent them where the call does not fit. */
  args: unknown;
  fits: boolean;
}

/** Puts the calls of one completion together from their pieces. */
export class ToolCalls {
  readonly #calls: { index: number; id: string; name: string; text: string }[] = [];

  /** A piece belongs to the call of its index; without one, to a new call if it names a function, else to the last one. */
  add({ index, id, function: called }: ToolCallDelta): void {
    const name = called?.name ?? "";
    const last = this.#calls.at(-1);
    const place = index ?? (name !== "" || last === undefined ? this.#calls.length : last.index);
    let call = this.#calls.find((one) => one.index === place);
    if (call === undefined) {
      call = { index: place, id: "", name: "", text: "" };
      this.#calls.push(call);
    }
    call.id ||= id ?? "";
    call.name ||= name;
    call.text += called?.arguments ?? "";
  }

  /** All calls in their order; ones without an id get one by their place. */
  finish(tools: Readonly<Record<string, AnswerTool>>, round: number): ToolCall[] {
    return this.#calls.map(({ id, name, text }, place) => {
      const args = parsed(text);
      const read = Object.hasOwn(tools, name) ? tools[name]?.inputSchema.safeParse(args) : undefined;
      return { id: id || `call_${round}_${place}`, name, fits: read?.success === true, args: read?.data ?? args };
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
