import { ArgumentsScanner } from "./arguments-scanner.ts";
import type { ToolCallDelta } from "./completion-chunk.ts";

/** Receives tool calls as they stream. Deltas are never empty, and belong to a call that has started. */
export interface ToolCallListener {
  toolCallStarted(toolCallId: string, name: string): void;
  toolCallArguments(toolCallId: string, delta: string): void;
  /** A value that the provider wants back with the call, such as Google's thought signature. */
  toolCallExtra?(toolCallId: string, extra: object): void;
  toolCallEnded?(toolCallId: string): void;
}

/** Maximum length of buffered arguments. */
const maxBufferedCharacters = 1024 * 1024;

interface Call {
  /** The id that is reported. */
  readonly id: string;
  readonly providersId: string | undefined;
  readonly index: number;
  readonly scanner: ArgumentsScanner;
  hasEnded: boolean;
  /** What to report once the earlier calls of its index have ended. Undefined if there are none. */
  held: (() => void)[] | undefined;
}

interface WaitingArguments {
  id: string | undefined;
  deltas: string[];
  characters: number;
}

/**
 * Assigns a provider's tool call deltas to calls, and reports the calls to a listener.
 *
 * A delta belongs to the call with its id, else to the last call at its index, else to the last call. A call begins with a name at an index
 * without a call, or with a name and a new id: some providers use the same index for every call. Arguments that arrive before the name are
 * buffered. A call without an id gets a generated one. A name may arrive in pieces, so a call whose name is a prefix of a tool's name is
 * held back until the next delta.
 *
 * A call ends when the next one of its index begins. If its arguments aren't complete by then, the deltas of both may alternate: a
 * listener that is told of ends gets the next call only once the first one is complete, or with whatever else follows.
 */
export class ToolCalls {
  readonly #listener: ToolCallListener;
  readonly #newId: () => string;
  readonly #usedIds: Set<string> | undefined;
  readonly #toolNames: readonly string[];
  /** The last call at each index, and with each id of the provider. */
  readonly #callsByIndex = new Map<number, Call>();
  readonly #callsById = new Map<string, Call>();
  /** The calls at each index that haven't ended. All but the first are held back. */
  readonly #open = new Map<number, Call[]>();
  readonly #waiting = new Map<number, WaitingArguments>();
  #lastIndex = 0;
  /** A call that hasn't been reported yet, because its name may be incomplete. */
  #pending: { call: Call; name: string } | undefined;
  #heldCalls = 0;
  #heldCharacters = 0;

  /**
   * @param options.toolNames names of the tools offered to the model
   * @param options.usedIds ids of earlier calls, which are replaced in new ones. New ids are added. Without it, ids may repeat
   */
  constructor(
    listener: ToolCallListener,
    options: { newId: () => string; usedIds?: Set<string> | undefined; toolNames: readonly string[] },
  ) {
    this.#listener = listener;
    this.#newId = options.newId;
    this.#usedIds = options.usedIds;
    this.#toolNames = options.toolNames;
  }

  /** Whether a call is held back. It has to be released before anything else is reported. */
  get holding(): boolean {
    return this.#pending !== undefined || this.#heldCalls > 0;
  }

  /** Number of calls whose id or arguments arrived without a name. */
  get unnamed(): number {
    return this.#waiting.size;
  }

  /** Reports the calls that are held back, if any. */
  release(): void {
    this.#releaseName();
    if (this.#heldCalls === 0) return;
    for (const open of this.#open.values()) while (open.length > 1) this.#endFirst(open);
  }

  /** @throws ToolCallError */
  delta(delta: ToolCallDelta): void {
    let call = this.#find(delta);
    const index = call?.index ?? delta.index ?? this.#lastIndex;
    this.#lastIndex = index;
    if (this.#pending?.call !== call) this.#releaseName();
    if (delta.name !== undefined) {
      if (!call || isNewCall(delta, call)) {
        call = this.#start(index, delta.name, delta.id ?? this.#waiting.get(index)?.id);
      } else if (this.#pending) {
        this.#pending.name = this.#joinName(this.#pending.name, delta.name);
      }
      if (this.#pending && !this.#mayGrow(this.#pending.name)) this.#releaseName();
    }
    if (delta.arguments !== undefined || delta.extraContent !== undefined) this.#releaseName();
    if (!call) {
      this.#buffer(index, delta);
      return;
    }
    this.#callsByIndex.set(index, call);
    if (delta.arguments !== undefined) this.#append(call, delta.arguments);
    if (delta.extraContent !== undefined) this.#reportExtra(call, delta.extraContent);
  }

  /**
   * The id of the call of a delta whose arguments are the JSON literal `bytes[start, end)`, if the fast path may pass them on without this
   * object.
   */
  passLiteral(
    { index, id }: { index: number; id: string | undefined },
    bytes: Buffer,
    start: number,
    end: number,
  ): string | undefined {
    const call = this.#callsByIndex.get(index);
    if (!call || call.hasEnded || this.holding || (id !== undefined && id !== call.providersId)) return undefined;
    this.#lastIndex = index;
    call.scanner.pushLiteral(bytes, start, end);
    return call.id;
  }

  /**
   * Ends every call.
   *
   * @throws ToolCallError if the provider sent calls, but named none
   */
  end(): void {
    if (this.#callsByIndex.size === 0 && this.unnamed > 0) throw new ToolCallError(unnamedToolCall);
    this.release();
    for (const open of this.#open.values()) while (open.length > 0) this.#endFirst(open);
  }

  #find({ id, index, name }: ToolCallDelta): Call | undefined {
    const last = this.#callsByIndex.get(index ?? this.#lastIndex);
    const known = id === undefined || id === last?.providersId ? undefined : this.#callsById.get(id);
    if (!known) return last;
    // A name at another index, or after complete arguments, begins another call, though its id is taken.
    const isSame = name === undefined || (!known.scanner.isComplete && known.index === (index ?? known.index));
    return isSame ? known : last;
  }

  #start(index: number, name: string, providersId: string | undefined): Call {
    this.#releaseName();
    const isTaken = providersId !== undefined && this.#usedIds?.has(providersId);
    const id = providersId === undefined || isTaken ? this.#newId() : providersId;
    this.#usedIds?.add(id);
    const call: Call = { id, providersId, index, scanner: new ArgumentsScanner(), hasEnded: false, held: undefined };
    if (providersId !== undefined) this.#callsById.set(providersId, call);
    const open = this.#open.get(index) ?? [];
    this.#open.set(index, open);
    open.push(call);
    this.#endComplete(open);
    if (open.length > 1 && this.#listener.toolCallEnded) {
      call.held = [];
      this.#heldCalls += 1;
    }
    this.#pending = { call, name };
    return call;
  }

  #endComplete(open: Call[]): void {
    while (open.length > 1 && open[0]?.scanner.isComplete) this.#endFirst(open);
  }

  /** Ends the first call of an index, and reports the next one if it was held back. */
  #endFirst(open: Call[]): void {
    const ended = open.shift();
    if (!ended) return;
    ended.hasEnded = true;
    this.#listener.toolCallEnded?.(ended.id);
    const held = open[0]?.held;
    if (!open[0] || !held) return;
    open[0].held = undefined;
    this.#heldCalls -= 1;
    if (this.#heldCalls === 0) this.#heldCharacters = 0;
    for (const report of held) report();
  }

  /** Reports something of a call now, or later if the call is held back. */
  #report(call: Call, report: () => void): void {
    if (call.held) call.held.push(report);
    else report();
  }

  #releaseName(): void {
    if (!this.#pending) return;
    const { call, name } = this.#pending;
    this.#pending = undefined;
    this.#report(call, () => this.#listener.toolCallStarted(call.id, name));
    const waiting = this.#waiting.get(call.index);
    this.#waiting.delete(call.index);
    for (const delta of waiting?.deltas ?? []) this.#append(call, delta);
  }

  /** Whether a name may be incomplete. Without known tools, any name may be. */
  #mayGrow(name: string): boolean {
    return this.#toolNames.length === 0 || this.#toolNames.some((tool) => tool !== name && tool.startsWith(name));
  }

  /** Joins two parts of a name: providers send a name in pieces, repeat it, or send all of it so far. */
  #joinName(name: string, next: string): string {
    const both = name + next;
    return next.startsWith(name) && !this.#toolNames.some((tool) => tool.startsWith(both)) ? next : both;
  }

  #reportExtra(call: Call, extra: object): void {
    this.#report(call, () => this.#listener.toolCallExtra?.(call.id, extra));
  }

  #append(call: Call, text: string): void {
    if (call.hasEnded && this.#listener.toolCallEnded) {
      if (text.trim() === "") return;
      throw new ToolCallError("The model provider continued a tool call that had ended.");
    }
    call.scanner.push(text);
    this.#report(call, () => this.#listener.toolCallArguments(call.id, text));
    if (this.#heldCalls === 0) return;
    this.#endComplete(this.#open.get(call.index) ?? []);
    if (call.held) this.#heldCharacters += text.length;
    if (this.#heldCharacters > maxBufferedCharacters) this.release();
  }

  #buffer(index: number, delta: ToolCallDelta): void {
    if (delta.arguments === undefined && delta.id === undefined) return;
    const waiting = this.#waiting.get(index) ?? { id: undefined, deltas: [], characters: 0 };
    waiting.id = delta.id ?? waiting.id;
    if (delta.arguments !== undefined) {
      waiting.deltas.push(delta.arguments);
      waiting.characters += delta.arguments.length;
    }
    if (waiting.characters > maxBufferedCharacters) throw new ToolCallError(unnamedToolCall);
    this.#waiting.set(index, waiting);
  }
}

const unnamedToolCall = "The model provider sent a tool call without a name.";

/** The provider's tool calls can't be told apart, or not be called. The message may be shown to clients. */
export class ToolCallError extends Error {
  override readonly name = "ToolCallError";
}

function isNewCall({ id, arguments: text }: ToolCallDelta, call: Call): boolean {
  if (id !== undefined) return id !== call.providersId;
  // Neither call has an id. A name after complete arguments can only start another call.
  return call.providersId === undefined && text !== undefined && call.scanner.isComplete;
}
