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

interface OpenCall {
  id: string;
  hasProviderId: boolean;
  /** Stored only for calls without an id from the provider, to detect when their arguments are complete. */
  argumentsSoFar: string;
}

/** A call that hasn't been reported yet, because its name may be incomplete. */
interface PendingCall {
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
 * Assigns a provider's tool call deltas to calls, and reports the calls to a listener.
 *
 * A call begins with a name at an index without an open call, or with a name and a new id: some providers use the same index for every
 * call. Arguments belong to the call at their index, whatever their id. A delta without an index belongs to the call with its id, else to
 * the last call. Arguments that arrive before the name are buffered. A call without an id gets a generated one. A name may arrive in
 * pieces, so a call whose name is a prefix of a tool's name is held back until the next delta.
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
  #pendingCall: PendingCall | undefined;

  /**
   * @param options.toolNames names of the tools offered to the model
   * @param options.uniqueIds replaces an id that an earlier call of the run already has
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

  /** Whether a call is held back. It has to be released before anything else is reported. */
  get holding(): boolean {
    return this.#pendingCall !== undefined;
  }

  /** Reports the call that is held back, if any. */
  release(): void {
    const held = this.#pendingCall;
    if (!held) return;
    this.#pendingCall = undefined;
    this.#listener.toolCallStarted(held.id, held.name);
    const waiting = this.#waiting.get(held.index);
    this.#waiting.delete(held.index);
    for (const delta of waiting?.deltas ?? []) this.#listener.toolCallArguments(held.id, delta);
  }

  delta(delta: ToolCallDelta): void {
    const index = delta.index ?? this.#findIndex(delta.id);
    this.#lastIndex = index;
    if (this.#pendingCall && this.#pendingCall.index !== index) this.release();
    if (delta.name !== undefined) {
      if (this.#isNewCall(delta, this.#open.get(index))) {
        this.#start(index, delta.name, delta.id ?? this.#waiting.get(index)?.id);
      } else if (this.#pendingCall) {
        this.#pendingCall.name = this.#joinName(this.#pendingCall.name, delta.name);
      }
      if (this.#pendingCall && !this.#mayGrow(this.#pendingCall.name)) this.release();
    }
    if (delta.arguments !== undefined) this.release();
    if (delta.arguments !== undefined || delta.id !== undefined) this.#append(index, delta);
    if (delta.extraContent !== undefined) this.#reportExtra(index, delta.extraContent);
  }

  /** The id of the open call at an index, if the fast path may pass its arguments on without this object. */
  openCallId(index: number): string | undefined {
    const call = this.#open.get(index);
    if (!call?.hasProviderId || this.#pendingCall) return undefined;
    this.#lastIndex = index;
    return call.id;
  }

  /** Closes every call that is open. */
  end(): void {
    this.release();
    for (const { id } of this.#open.values()) this.#listener.toolCallEnded?.(id);
    this.#open.clear();
    this.#waiting.clear();
  }

  #findIndex(id: string | undefined): number {
    if (id !== undefined) {
      for (const [index, call] of this.#open) if (call.hasProviderId && call.id === id) return index;
    }
    return this.#lastIndex;
  }

  #isNewCall(delta: ToolCallDelta, open: OpenCall | undefined): boolean {
    if (!open) return true;
    if (delta.id !== undefined) return delta.id !== open.id;
    // Neither call has an id. A name after complete arguments can only start another call.
    return !open.hasProviderId && delta.arguments !== undefined && isWholeJson(open.argumentsSoFar);
  }

  #start(index: number, name: string, providersId: string | undefined): void {
    this.release();
    const before = this.#open.get(index);
    if (before) this.#listener.toolCallEnded?.(before.id);
    const isTaken = this.#uniqueIds && providersId !== undefined && this.#usedIds.has(providersId);
    const id = providersId === undefined || isTaken ? this.#newId() : providersId;
    this.#usedIds.add(id);
    this.#open.set(index, { id, hasProviderId: providersId !== undefined, argumentsSoFar: "" });
    this.#pendingCall = { index, id, name };
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

  #reportExtra(index: number, extra: object): void {
    this.release();
    const call = this.#open.get(index);
    if (call) this.#listener.toolCallExtra?.(call.id, extra);
  }

  #append(index: number, delta: ToolCallDelta): void {
    const call = this.#open.get(index);
    if (!call) {
      this.#buffer(index, delta);
      return;
    }
    if (delta.arguments === undefined) return;
    if (!call.hasProviderId && call.argumentsSoFar.length < maxBufferedCharacters)
      call.argumentsSoFar += delta.arguments;
    this.#listener.toolCallArguments(call.id, delta.arguments);
  }

  #buffer(index: number, delta: ToolCallDelta): void {
    const waiting = this.#waiting.get(index) ?? { id: undefined, deltas: [], characters: 0 };
    waiting.id = delta.id ?? waiting.id;
    if (delta.arguments !== undefined) {
      waiting.deltas.push(delta.arguments);
      waiting.characters += delta.arguments.length;
    }
    if (waiting.characters > maxBufferedCharacters) throw new UnnamedToolCallError();
    this.#waiting.set(index, waiting);
  }
}

/** The provider sends more arguments than can be buffered without naming the tool. */
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
