import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import type { ProviderStream, StreamHandler } from "../transport/provider-stream.ts";
import type { CompletionProvider } from "./completion-reader.ts";
import { streamAnswer } from "./stream-answer.ts";

const streamCount = 20;
/** The event loop reads this often from a socket that always has more, unless it is paused. */
const readsPerTurn = 32;

const chunk = `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: "x".repeat(200) } }] })}\n\n`;

/** Streams answers to clients that read everything at once. In each turn of `read` the provider has these bytes for every stream. */
function openStreams() {
  const streams: { isPaused: boolean; reads: number; handler: StreamHandler }[] = [];
  const provider: CompletionProvider = {
    secrets: [],
    openCompletion(_request, handler): ProviderStream {
      const stream = { isPaused: false, reads: 0, handler };
      streams.push(stream);
      return {
        pause() {
          stream.isPaused = true;
        },
        resume() {
          stream.isPaused = false;
        },
        abort: () => undefined,
        release: () => undefined,
      };
    },
  };
  const left = new AbortController();
  const answers = Array.from({ length: streamCount }, async () => {
    const options = { provider, model: "m", system: "", messages: [], signal: left.signal };
    for await (const part of streamAnswer(options)) expect(part.type).toBe("text");
  });
  return {
    streams,
    async read(bytes: Buffer, maxReads: number) {
      await nextTurn();
      for (const stream of streams) {
        for (let reads = 0; reads < maxReads && !stream.isPaused; reads += 1) {
          stream.reads += 1;
          stream.handler.onBytes(bytes, 0, bytes.length);
          stream.handler.onReadEnd();
          // As after a read of a socket, everything happens that can without waiting.
          await new Promise<void>((resolve) => process.nextTick(resolve));
        }
      }
    },
    async close() {
      left.abort(new Error("left"));
      await Promise.allSettled(answers);
    },
  };
}

const countReads = (streams: readonly { reads: number }[]) => streams.reduce((sum, { reads }) => sum + reads, 0);

test("streams of a provider that sends without pause take turns, so that other requests are answered between them", async () => {
  const { streams, read, close } = openStreams();
  const bytes = Buffer.from(chunk.repeat(250));
  await read(bytes, readsPerTurn);
  let before = countReads(streams);
  expect(before).toBe(streamCount);
  for (let turn = 0; turn < 4 * streamCount; turn += 1) {
    await read(bytes, readsPerTurn);
    expect(countReads(streams) - before).toBeLessThanOrEqual(1);
    before = countReads(streams);
  }
  for (const { reads } of streams) expect(reads).toBeGreaterThan(1);
  await close();
});

test("streams at the speed of a model wait for no turn", async () => {
  const { streams, read, close } = openStreams();
  for (let turn = 1; turn <= 20; turn += 1) {
    await read(Buffer.from(chunk.repeat(3)), 1);
    expect(streams.map(({ reads }) => reads)).toEqual(streams.map(() => turn));
  }
  await close();
});
