import type { CompletionChunk } from "@agent-backends/llm";
import type { Slot } from "./frame-template.ts";
import { FrameTemplate } from "./frame-template.ts";
import { skipSpace } from "./json-bytes.ts";
import type { Span } from "./json-layout.ts";
import { findMembers, findOnlyElement, isNumber, isString } from "./json-layout.ts";

/** The kinds of deltas that are relayed without being parsed. `index` is that of the tool call. */
export type RelayedDelta = { kind: "text" } | { kind: "reasoning" } | { kind: "arguments"; index: number };

/** One frame of a provider, as the scanner found it. */
export interface RawFrame {
  bytes: Buffer;
  /** Where the line with the data begins, and its data, without the line end. */
  lineStart: number;
  dataStart: number;
  dataEnd: number;
}

export interface LearnedFrame {
  template: FrameTemplate;
  delta: RelayedDelta;
  /** The model that its usage counts for, or an empty text; nothing where it has no usage. */
  usageModel: string | undefined;
  /** The values that may vary without meaning anything. */
  values: readonly BoringValue[];
}

interface BoringValue {
  name: string;
  text: string;
  slot: Slot;
  varies: boolean;
}

/** The members of the objects that a chunk is made of. */
interface ChunkLayout {
  chunk: Map<string, Span>;
  choice: Map<string, Span>;
  delta: Map<string, Span>;
}

// What a chunk's meaning depends on.
const meaningfulMembers = {
  chunk: new Set(["error", "object", "choices", "usage"]),
  choice: new Set(["index", "delta", "finish_reason", "error"]),
  delta: new Set(["content", "refusal", "reasoning", "reasoning_content", "tool_calls"]),
};

/**
 * Makes a template of a frame whose chunk brought one text, one piece of reasoning or one piece of arguments, and nothing
 * else. Where the frame differs from an earlier one in values that nobody reads (an id, a time, padding), these may take any
 * value from then on.
 *
 * @param chunk what parsing the frame gave
 * @param earlier what was learned before, if anything
 */
export function learnFrame(
  frame: RawFrame,
  chunk: CompletionChunk,
  earlier: LearnedFrame | undefined,
): LearnedFrame | undefined {
  const relayed = relayedDelta(chunk);
  const lineEnd = relayed && lineEndAfter(frame);
  if (!lineEnd) return undefined;
  const { bytes, lineStart, dataEnd } = frame;
  const text = bytes.subarray(0, dataEnd);
  const layout = layoutOf(text, { start: frame.dataStart, end: dataEnd });
  const literal = layout && literalOf(text, layout.delta, relayed.delta);
  // The proof that the position is the right one: it holds what the parser gave.
  if (!literal || parsed(text, literal) !== relayed.text) return undefined;

  const values: BoringValue[] = [];
  const holes: { span: Span; slot: Slot }[] = [{ span: inside(literal), slot: "relayed" }];
  const usage = chunk.usage && layout.chunk.get("usage");
  if (usage) holes.push({ span: usage, slot: "usage" });
  for (const object of ["chunk", "choice", "delta"] as const) {
    for (const [name, span] of layout[object]) {
      // A usage is told together with its model.
      if (meaningfulMembers[object].has(name) || (usage && name === "model")) continue;
      const value = boringValue(name, text, span, earlier?.values[values.length]);
      values.push(value);
      if (value.varies) holes.push({ span: value.slot === "string" ? inside(span) : span, slot: value.slot });
    }
  }
  holes.sort((one, other) => one.span.start - other.span.start);

  const fixed: Uint8Array[] = [];
  let at = lineStart;
  for (const { span } of holes) {
    fixed.push(bytes.subarray(at, span.start));
    at = span.end;
  }
  fixed.push(Buffer.concat([bytes.subarray(at, dataEnd), lineEnd, lineEnd]));
  const template = new FrameTemplate({ fixed, slots: holes.map(({ slot }) => slot) });
  return { template, delta: relayed.delta, usageModel: usage && (chunk.usage?.model ?? ""), values };
}

function boringValue(name: string, text: Buffer, span: Span, earlier: BoringValue | undefined): BoringValue {
  const slot = isString(text, span) ? "string" : isNumber(text, span) ? "number" : "value";
  const value: BoringValue = { name, text: text.toString("latin1", span.start, span.end), slot, varies: false };
  if (earlier?.name !== name) return value;
  value.varies = earlier.varies || earlier.text !== value.text;
  if (earlier.slot !== slot) value.slot = "value";
  return value;
}

function relayedDelta(chunk: CompletionChunk): { delta: RelayedDelta; text: string } | undefined {
  const { text, reasoning, refusal, toolCalls } = chunk;
  if (chunk.error || chunk.finishReason || refusal) return undefined;
  const [call] = toolCalls;
  if (text) return reasoning || call ? undefined : { delta: { kind: "text" }, text };
  if (reasoning) return call ? undefined : { delta: { kind: "reasoning" }, text: reasoning };
  if (!call || toolCalls.length > 1 || call.name !== undefined || call.arguments === undefined) return undefined;
  if (call.index === undefined) return undefined;
  return { delta: { kind: "arguments", index: call.index }, text: call.arguments };
}

function layoutOf(text: Buffer, data: Span): ChunkLayout | undefined {
  const chunk = findMembers(text, { start: skipSpace(text, data.start, data.end), end: data.end });
  const choices = chunk?.get("choices");
  const only = choices && findOnlyElement(text, choices);
  const choice = only && findMembers(text, only);
  const span = choice?.get("delta");
  const delta = span && findMembers(text, span);
  return chunk && choice && delta && { chunk, choice, delta };
}

function literalOf(text: Buffer, delta: Map<string, Span>, { kind }: RelayedDelta): Span | undefined {
  const into = (value: Span | undefined) => value && findMembers(text, value);
  const only = (value: Span | undefined) => value && findOnlyElement(text, value);
  switch (kind) {
    case "text":
      return delta.get("content");
    case "reasoning": {
      const first = delta.get("reasoning_content");
      return first && isString(text, first) && first.end - first.start > 2 ? first : delta.get("reasoning");
    }
    case "arguments":
      return into(into(only(delta.get("tool_calls")))?.get("function"))?.get("arguments");
  }
}

/** The line end of the frame's data, when it is one whose second half can't be still on its way. */
function lineEndAfter({ bytes, dataEnd }: RawFrame): Buffer | undefined {
  if (bytes[dataEnd] === 0x0a) return lineFeed;
  return bytes[dataEnd] === 0x0d && bytes[dataEnd + 1] === 0x0a ? carriageReturnLineFeed : undefined;
}

const lineFeed = Buffer.from("\n");
const carriageReturnLineFeed = Buffer.from("\r\n");

function inside({ start, end }: Span): Span {
  return { start: start + 1, end: end - 1 };
}

function parsed(text: Buffer, { start, end }: Span): unknown {
  return text[start] === 0x22 ? JSON.parse(text.toString("utf8", start, end)) : undefined;
}
