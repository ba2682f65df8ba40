import { createParser } from "eventsource-parser";
import { z } from "zod";
import { silenceError, transportError } from "../errors/failures.ts";
import { ProviderError } from "../errors/provider-error.ts";
import { safeProviderMessage } from "../errors/safe-message.ts";
import type { AnswerTimeouts } from "./timeouts.ts";

const choiceSchema = z.looseObject({
  finish_reason: z.string().nullish(),
  delta: z.looseObject({ tool_calls: z.array(z.unknown()).nullish() }).nullish(),
});
const chunkSchema = z.looseObject({ choices: z.array(choiceSchema).nullish(), error: z.unknown().optional() });

/** One event may be this long. */
const MAX_EVENT_CHARACTERS = 8 * 1024 * 1024;

/** How far a streamed completion has come. */
interface Progress {
  calledTools: boolean;
  finished: boolean;
  done: boolean;
}

/**
 * Passes a streamed chat completion on, event by event, and makes everything that is wrong with it a
 * ProviderError: silence, data that is not JSON, an error in the place of a chunk, an end without a finish reason
 * or `[DONE]`. A provider that says only `[DONE]` gets its finish reason filled in.
 */
export async function* guardStream(
  body: ReadableStream<Uint8Array>,
  timeouts: AnswerTimeouts,
  secrets: readonly string[],
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  const progress: Progress = { calledTools: false, finished: false, done: false };
  for await (const data of readEvents(body, timeouts, progress)) {
    for (const event of check(data, progress, secrets)) yield encoder.encode(`data: ${event}\n\n`);
    // Some providers keep the connection open after the end.
    if (progress.done) return;
  }
}

/** The data of each event. Throws a ProviderError when the body ends or breaks before the completion is finished. */
async function* readEvents(
  body: ReadableStream<Uint8Array>,
  timeouts: AnswerTimeouts,
  progress: Progress,
): AsyncGenerator<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let events: string[] = [];
  const parser = createParser({
    onEvent: ({ data }) => events.push(data),
    onError: ({ type }) => {
      if (type === "max-buffer-size-exceeded") throw new ProviderError("invalid", "The model provider sent too much.");
    },
    maxBufferSize: MAX_EVENT_CHARACTERS,
  });
  let heard = false;
  try {
    for (;;) {
      const bytes = await readInTime(reader, heard, timeouts);
      if (bytes) parser.feed(decoder.decode(bytes, { stream: true }));
      else {
        // The last event may lack its empty line, but one that broke off is none.
        parser.feed("\n\n");
        events = events.filter(isWhole);
      }
      heard ||= events.length > 0;
      yield* events;
      events = [];
      if (!bytes && !progress.finished) throw transportError(new Error("The body ended early."), true);
      if (!bytes) return;
    }
  } catch (error) {
    if (!progress.finished) throw error;
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** The next bytes, or undefined at the end. Time counts only while the provider is waited for, not while the reader rests. */
async function readInTime(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  heard: boolean,
  timeouts: AnswerTimeouts,
): Promise<Uint8Array | undefined> {
  let silent = false;
  const giveUp = () => {
    silent = true;
    void reader.cancel().catch(() => undefined);
  };
  const timer = setTimeout(giveUp, heard ? timeouts.idleTimeoutMs : timeouts.firstTokenTimeoutMs);
  try {
    const { value } = await reader.read();
    if (silent) throw silenceError(heard);
    return value;
  } catch (error) {
    if (error instanceof ProviderError || (error as Error).name === "AbortError") throw error;
    throw transportError(error as Error, true);
  } finally {
    clearTimeout(timer);
  }
}

function* check(data: string, progress: Progress, secrets: readonly string[]): Generator<string> {
  if (data === "[DONE]") {
    progress.done = true;
    if (!progress.finished) {
      const finish_reason = progress.calledTools ? "tool_calls" : "stop";
      yield JSON.stringify({ choices: [{ index: 0, delta: {}, finish_reason }] });
    }
    return;
  }
  const chunk = parseChunk(data);
  if (chunk.error != null) throw new ProviderError("invalid", safeProviderMessage({ error: chunk.error }, secrets));
  const [choice] = chunk.choices ?? [];
  progress.calledTools ||= (choice?.delta?.tool_calls?.length ?? 0) > 0;
  progress.finished ||= Boolean(choice?.finish_reason);
  yield JSON.stringify({ ...chunk, choices: chunk.choices ?? [] });
}

function isWhole(data: string): boolean {
  return data === "[DONE]" || data.trimEnd().endsWith("}");
}

function parseChunk(data: string): z.output<typeof chunkSchema> {
  try {
    return chunkSchema.parse(JSON.parse(data));
  } catch (cause) {
    throw new ProviderError("invalid", "The model provider sent something that is not a chat completion.", { cause });
  }
}
