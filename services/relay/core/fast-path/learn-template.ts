import type { CompletionChunk } from "@agent-backends/llm";
import { chunkMembers, reasoningFields, shownReasoningFields } from "@agent-backends/llm";
import type { Slot } from "./frame-template.ts";
import { FrameTemplate } from "./frame-template.ts";
import { skipSpace } from "./json-bytes.ts";
import type { Span } from "./json-layout.ts";
import { findMembers, findOnlyElement, isNumber, isString } from "./json-layout.ts";

/** The kinds of deltas that the fast path relays. `index` and `id` are those of the tool call. */
export type RelayedDelta =
  | { kind: "text" }
  | { kind: "reasoning" }
  | { kind: "arguments"; index: number; id: string | undefined };

/** One frame of a provider, as found by the scanner. */
export interface RawFrame {
  bytes: Buffer;
  /** Start of the data's line, and the range of the data without the line end. */
  lineStart: number;
  dataStart: number;
  dataEnd: number;
}

export interface LearnedFrame {
  template: FrameTemplate;
  delta: RelayedDelta;
  /** The model of the frame's usage, or an empty string. Undefined if the frame has no usage. */
  usageModel: string | undefined;
  values: readonly IgnoredValue[];
}

interface IgnoredValue {
  name: string;
  text: string;
  slot: Slot;
  isVariable: boolean;
}

/** The members of the objects in a chunk. */
interface ChunkLayout {
  chunk: Map<string, Span>;
  choice: Map<string, Span>;
  delta: Map<string, Span>;
}

/**
 * Creates a template from a frame whose chunk contains one text, one piece of reasoning or one piece of arguments, and nothing else.
 * Ignored values (an id, a time, padding) that differ from the earlier frame's may have any value from then on.
 *
 * @param chunk the parsed frame
 * @param earlier the frame learned before, if any
 */
export function learnFrame(
  frame: RawFrame,
  chunk: CompletionChunk,
  earlier: LearnedFrame | undefined,
): LearnedFrame | undefined {
  const relayed = getRelayedDelta(chunk);
  const lineEnd = relayed && findLineEnd(frame);
  if (!lineEnd) return undefined;
  const { bytes, lineStart, dataEnd } = frame;
  const text = bytes.subarray(0, dataEnd);
  const layout = getLayout(text, { start: frame.dataStart, end: dataEnd });
  const literal = layout && findLiteral(text, layout.delta, relayed.delta);
  // This proves that the position is right: it contains the text that the parser found.
  if (!literal || parseString(text, literal) !== relayed.text) return undefined;

  // Beside reasoning in another field, these aren't read.
  const unread: readonly string[] = relayed.delta.kind === "reasoning" ? shownReasoningFields : [];
  const values: IgnoredValue[] = [];
  const holes: { span: Span; slot: Slot }[] = [{ span: inside(literal), slot: "relayed" }];
  const usage = chunk.usage && layout.chunk.get("usage");
  if (usage) holes.push({ span: usage, slot: "usage" });
  for (const object of ["chunk", "choice", "delta"] as const) {
    for (const [name, span] of layout[object]) {
      // A usage is reported together with its model.
      const isRead = chunkMembers[object].has(name) && !(object === "delta" && unread.includes(name));
      if (isRead || (usage && name === "model")) continue;
      const value = toIgnoredValue(name, text, span, earlier?.values[values.length]);
      values.push(value);
      if (value.isVariable) holes.push({ span: value.slot === "string" ? inside(span) : span, slot: value.slot });
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

function toIgnoredValue(name: string, text: Buffer, span: Span, earlier: IgnoredValue | undefined): IgnoredValue {
  const slot = isString(text, span) ? "string" : isNumber(text, span) ? "number" : "value";
  const value: IgnoredValue = { name, text: text.toString("latin1", span.start, span.end), slot, isVariable: false };
  if (earlier?.name !== name) return value;
  value.isVariable = earlier.isVariable || earlier.text !== value.text;
  if (earlier.slot !== slot) value.slot = "value";
  return value;
}

function getRelayedDelta(chunk: CompletionChunk): { delta: RelayedDelta; text: string } | undefined {
  const { text, reasoning, toolCalls } = chunk;
  // A template stands for frames with this one content, in later runs too. Anything else, such as an image, must be read each time.
  const isFilled = (value: unknown) => (Array.isArray(value) ? value.length > 0 : Boolean(value));
  const contents = { ...chunk, usage: undefined, reasoningField: undefined };
  if (Object.values(contents).filter(isFilled).length !== 1) return undefined;
  if (text) return { delta: { kind: "text" }, text };
  if (reasoning) return { delta: { kind: "reasoning" }, text: reasoning };
  const [call] = toolCalls;
  if (!call || toolCalls.length > 1 || call.name !== undefined || call.arguments === undefined) return undefined;
  if (call.index === undefined || call.extraContent) return undefined;
  return { delta: { kind: "arguments", index: call.index, id: call.id }, text: call.arguments };
}

function getLayout(text: Buffer, data: Span): ChunkLayout | undefined {
  const chunk = findMembers(text, { start: skipSpace(text, data.start, data.end), end: data.end });
  const choices = chunk?.get("choices");
  const only = choices && findOnlyElement(text, choices);
  const choice = only && findMembers(text, only);
  const span = choice?.get("delta");
  const delta = span && findMembers(text, span);
  return chunk && choice && delta && { chunk, choice, delta };
}

function findLiteral(text: Buffer, delta: Map<string, Span>, { kind }: RelayedDelta): Span | undefined {
  const into = (value: Span | undefined) => value && findMembers(text, value);
  const only = (value: Span | undefined) => value && findOnlyElement(text, value);
  switch (kind) {
    case "text":
      return delta.get("content");
    case "reasoning": {
      const isFilled = (value: Span | undefined) => value && isString(text, value) && value.end - value.start > 2;
      return reasoningFields.map((field) => delta.get(field)).find(isFilled);
    }
    case "arguments":
      return into(into(only(delta.get("tool_calls")))?.get("function"))?.get("arguments");
  }
}

/** The line end after the frame's data, or undefined if it may still be incomplete (a CR whose LF may follow). */
function findLineEnd({ bytes, dataEnd }: RawFrame): Buffer | undefined {
  if (bytes[dataEnd] === 0x0a) return lineFeed;
  return bytes[dataEnd] === 0x0d && bytes[dataEnd + 1] === 0x0a ? carriageReturnLineFeed : undefined;
}

const lineFeed = Buffer.from("\n");
const carriageReturnLineFeed = Buffer.from("\r\n");

function inside({ start, end }: Span): Span {
  return { start: start + 1, end: end - 1 };
}

function parseString(text: Buffer, { start, end }: Span): unknown {
  return text[start] === 0x22 ? JSON.parse(text.toString("utf8", start, end)) : undefined;
}
