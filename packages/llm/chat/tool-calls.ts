import type { ToolCallDelta } from "./completion-chunk.ts";

/** Is told of tool calls as they come. Deltas are never empty, and belong to a call that has started. */
export interface ToolCallListener {
  toolCallStarted(toolCallId: string, name: string): void;
  toolCallArguments(toolCallId: string, delta: string): void;
  /** No more arguments come for this call. */
  toolCallEnded(toolCallId: string): void;
}

/** Of a call's arguments at most about this many characters are kept, where they have to be. */
const mostCharactersKept = 1024 * 1024;

interface OpenCall {
  id: string;
  idIsProviders: boolean;
  /** What came so far, kept only for calls without an id of the provider's, to see when their arguments are whole. */
  argumentsSoFar: string;
}

/** A call that is not told of yet, since more of its name may come. */
interface HeldCall {
  index: number;
  id: string;
  name: string;
}

interface WaitingArguments {
  id: string | undefined;
  deltas: string[];
  characters: number;
}

/**
 * Ties a provider's tool call deltas to their calls and tells a listener.
 *
 * A call begins with a name where no call is open at its index, or with a name and an id that differs from the one open
 * there: some providers give every call the same index. Arguments belong to the call at their index, whatever id they
 * carry; a delta without an index belongs to the call of its id, else to the last one. Arguments that come before the name
 * wait for it. A call without an id gets one. A name may come in pieces: a call whose name could still grow into that of a
 * tool is told of at the next thing that is said.
 */
export class ToolCalls {
  readonly #listener: ToolCallListener;
  readonly #newId: () => string;
  readonly #uniqueIds: boolean;
  readonly #toolNames: readonly string[];
  readonly #open = new Map<number, OpenCall>();
  readonly #waiting = new Map<number, WaitingArguments>();
  readonly #usedIds = new Set<string>();
  #lastIndex = 0;
  #held: HeldCall | undefined;

  /**
   * @param options.toolNames what the model was given to call
   * @param options.uniqueIds gives a call whose id another call of the run already has an id of its own
   */
  constructor(
    listener: ToolCallListener,
    options: { newId: () => string; uniqueIds: boolean; toolNames: readonly string[] },
  ) {
    this.#listener = listener;
    this.#newId = options.newId;
    this.#uniqueIds = options.uniqueIds;
    this.#toolNames = options.toolNames;
  }

  /** Whether there is a call that has to be told of before anything else is. */
  get holding(): boolean {
    return this.#held !== undefined;
  }

  /** Tells of the call that was held back, if there is one. */
  release(): void {
    const held = this.#held;
    if (!held) return;
    this.#held = undefined;
    this.#listener.toolCallStarted(held.id, held.name);
    const waiting = this.#waiting.get(held.index);
    this.#waiting.delete(held.index);
    for (const delta of waiting?.deltas ?? []) this.#listener.toolCallArguments(held.id, delta);
  }

  delta(delta: ToolCallDelta): void {
    const index = delta.index ?? this.#indexOf(delta.id);
    this.#lastIndex = index;
    if (this.#held && this.#held.index !== index) this.release();
    if (delta.name !== undefined) {
      if (this.#begins(delta, this.#open.get(index))) {
        this.#start(index, delta.name, delta.id ?? this.#waiting.get(index)?.id);
      } else if (this.#held) {
        this.#held.name = this.#joined(this.#held.name, delta.name);
      }
      if (this.#held && !this.#mayGrow(this.#held.name)) this.release();
    }
    if (delta.arguments !== undefined) this.release();
    if (delta.arguments !== undefined || delta.id !== undefined) this.#append(index, delta);
  }

  /**
   * The id of the call that is open at an index, as long as what is appended to it need not be looked at: then arguments for
   * it may be relayed past this object.
   */
  openCallId(index: number): string | undefined {
    const call = this.#open.get(index);
    if (!call?.idIsProviders || this.#held) return undefined;
    this.#lastIndex = index;
    return call.id;
  }

  /** Closes every call that is open. */
  end(): void {
    this.release();
    for (const { id } of this.#open.values()) this.#listener.toolCallEnded(id);
    this.#open.clear();
    this.#waiting.clear();
  }

  #indexOf(id: string | undefined): number {
    if (id !== undefined) {
      for (const [index, call] of this.#open) if (call.idIsProviders && call.id === id) return index;
    }
    return this.#lastIndex;
  }

  #begins(delta: ToolCallDelta, open: OpenCall | undefined): boolean {
    if (!open) return true;
    if (delta.id !== undefined) return delta.id !== open.id;
    // Neither call has an id: whole arguments followed by a name and more of them can only be another call.
    return !open.idIsProviders && delta.arguments !== undefined && isWholeJson(open.argumentsSoFar);
  }

  #start(index: number, name: string, providersId: string | undefined): void {
    this.release();
    const before = this.#open.get(index);
    if (before) this.#listener.toolCallEnded(before.id);
    const taken = this.#uniqueIds && providersId !== undefined && this.#usedIds.has(providersId);
    const id = providersId === undefined || taken ? this.#newId() : providersId;
    this.#usedIds.add(id);
    this.#open.set(index, { id, idIsProviders: providersId !== undefined, argumentsSoFar: "" });
    this.#held = { index, id, name };
  }

  /** Where it isn't known which tools there are, any name may be the beginning of one. */
  #mayGrow(name: string): boolean {
    return this.#toolNames.length === 0 || this.#toolNames.some((tool) => tool !== name && tool.startsWith(name));
  }

  /** Some providers give the name in pieces, some repeat it, and some give all of it that there is so far. */
  #joined(name: string, next: string): string {
    const both = name + next;
    return next.startsWith(name) && !this.#toolNames.some((tool) => tool.startsWith(both)) ? next : both;
  }

  #append(index: number, delta: ToolCallDelta): void {
    const call = this.#open.get(index);
    if (!call) {
      this.#wait(index, delta);
      return;
    }
    if (delta.arguments === undefined) return;
    if (!call.idIsProviders && call.argumentsSoFar.length < mostCharactersKept) call.argumentsSoFar += delta.arguments;
    this.#listener.toolCallArguments(call.id, delta.arguments);
  }

  #wait(index: number, delta: ToolCallDelta): void {
    const waiting = this.#waiting.get(index) ?? { id: undefined, deltas: [], characters: 0 };
    waiting.id = delta.id ?? waiting.id;
    if (delta.arguments !== undefined) {
      waiting.deltas.push(delta.arguments);
      waiting.characters += delta.arguments.length;
    }
    if (waiting.characters > mostCharactersKept) throw new UnnamedToolCallError();
    this.#waiting.set(index, waiting);
  }
}

/** A provider sends the arguments of a call without end and never says which tool is called. */
export class UnnamedToolCallError extends Error {
  override readonly name = "UnnamedToolCallError";
  constructor() {
    super("The provider sent a tool call without a name.");
  }
}

function isWholeJson(text: string): boolean {
  if (!text.trimEnd().endsWith("}")) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
