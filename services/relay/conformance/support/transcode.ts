import type { RelayProfile } from "@agent-backends/contract";
import { EventBuffer } from "@agent-backends/kit/runs";
import { expect } from "vitest";
import { toStreamErrorFailure } from "../../core/failures.ts";
import { Transcoder } from "../../core/transcoder.ts";

export type Event = Record<string, unknown>;

/** Converts a provider's stream to events. */
export function transcode(
  pieces: readonly (string | Uint8Array)[],
  name: RelayProfile = "contract",
  toolNames: readonly string[] = [],
  vendor?: string,
): Event[] {
  const events = new EventBuffer();
  const counts = { recognised: 0, parsed: 0 };
  let ids = 0;
  const newId = () => `id-${++ids}`;
  const transcoder = new Transcoder({
    profile: name,
    identity: { threadId: "t", runId: "r", messageId: "m" },
    model: { origin: "o", vendor },
    events,
    toolNames,
    newId,
    describeError: (error) => toStreamErrorFailure(error, []),
    frames: counts,
  });
  transcoder.start();
  for (const piece of pieces) transcoder.push(Buffer.from(piece as string));
  transcoder.end();
  expect(transcoder.hasEnded).toBe(true);
  const text = events.take().toString("utf8");
  return text.split("\n\n").flatMap((frame) => (frame ? [JSON.parse(frame.slice("data: ".length)) as Event] : []));
}

export const frame = (json: unknown) => `data: ${typeof json === "string" ? json : JSON.stringify(json)}\n\n`;
export const delta = (fields: object, finish_reason: string | null = null) => ({
  choices: [{ index: 0, delta: fields, finish_reason }],
});
export const call = (fields: object) => delta({ tool_calls: [fields] });
export const stop = frame(delta({}, "stop")) + frame("[DONE]");
export const stream = (...chunks: unknown[]) => [chunks.map(frame).join("") + stop];

export const started = { type: "RUN_STARTED", threadId: "t", runId: "r" };
export const finished = { type: "RUN_FINISHED", threadId: "t", runId: "r" };
export const textStart = { type: "TEXT_MESSAGE_START", messageId: "m", role: "assistant" };
export const text = (value: string) => ({ type: "TEXT_MESSAGE_CONTENT", messageId: "m", delta: value });
export const textEnd = { type: "TEXT_MESSAGE_END", messageId: "m" };
export const callStart = (toolCallId: string, toolCallName: string) => ({
  type: "TOOL_CALL_START",
  toolCallId,
  toolCallName,
  parentMessageId: "m",
});
export const args = (toolCallId: string, value: string) => ({ type: "TOOL_CALL_ARGS", toolCallId, delta: value });
export const failed = (message: unknown = expect.any(String)) => ({ type: "RUN_ERROR", message });
