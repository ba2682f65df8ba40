import { once } from "node:events";
import type { Transform } from "node:stream";
import {
  brotliCompressSync,
  constants,
  createBrotliCompress,
  createDeflate,
  createDeflateRaw,
  createGzip,
  createZstdCompress,
  gzipSync,
} from "node:zlib";
import type { ScriptedAnswer } from "@agent-backends/testing";
import { answer, parseSseEvents, postWithoutReading } from "@agent-backends/testing";
import { expect, test } from "vitest";
import { describeBoth, eventually, readTextPieces } from "../support/harness.ts";
import { postAgent, runInput } from "../support/run-inputs.ts";

const frame = (content: string) => `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`;
const done = "data: [DONE]\n\n";
const packed = (bytes: Uint8Array, end: "end" | "cut" = "end"): ScriptedAnswer =>
  answer.bytes([bytes], { headers: { "content-encoding": "gzip" }, end });

/** Compresses each text separately, like a server that flushes after each event. */
async function* packEach(packer: Transform, texts: readonly (string | Promise<unknown>)[]) {
  const ready: Buffer[] = [];
  packer.on("data", (bytes: Buffer) => ready.push(bytes));
  for (const text of texts) {
    if (typeof text !== "string") {
      await text;
      continue;
    }
    packer.write(text);
    await new Promise<void>((resolve) => (packer as ReturnType<typeof createGzip>).flush(resolve));
    yield Buffer.concat(ready.splice(0));
  }
  const ended = once(packer, "end");
  packer.end();
  await ended;
  yield Buffer.concat(ready);
}

const flushZlib = { flush: constants.Z_SYNC_FLUSH };
const packers: [string, string, () => Transform][] = [
  ["gzip", "gzip", () => createGzip(flushZlib)],
  ["deflate", "deflate", () => createDeflate(flushZlib)],
  ["deflate without its header", "deflate", () => createDeflateRaw(flushZlib)],
  ["br", "BR", () => createBrotliCompress({ flush: constants.BROTLI_OPERATION_FLUSH })],
  ["zstd", "zstd", () => createZstdCompress({ flush: constants.ZSTD_e_flush })],
];

describeBoth("a provider that packs its answer", (bench) => {
  test("was asked not to", async () => {
    await bench.run();
    expect(bench.provider.chatRequests[0]?.headers["accept-encoding"]).toBe("identity");
  });

  test.each(packers)("as %s is understood, each event at once", async (_name, encoding, packer) => {
    const { promise: goOn, resolve } = Promise.withResolvers<void>();
    const pieces = packEach(packer(), [frame("half"), goOn, frame("whole"), done]);
    bench.provider.script(answer.bytes(pieces, { headers: { "content-encoding": encoding } }));
    const answered = readTextPieces(await postAgent(bench.relay.url, runInput()));
    let seen = "";
    while (!seen.includes("half")) seen += (await answered.next()).value;
    resolve();
    for (let piece = await answered.next(); !piece.done; piece = await answered.next()) seen += piece.value;
    const deltas = parseSseEvents(seen).flatMap(({ delta }) => (typeof delta === "string" ? [delta] : []));
    expect(deltas).toEqual(["half", "whole"]);
    expect(parseSseEvents(seen).at(-1)).toMatchObject({ type: "RUN_FINISHED" });
  });

  test("of an error is understood too", async () => {
    const body = gzipSync(JSON.stringify({ error: { message: "No such model" } }));
    const headers = { "content-encoding": "gzip", "content-type": "application/json" };
    bench.provider.script(answer.bytes([body], { status: 404, headers }));
    expect((await bench.run()).at(-1)).toEqual({ type: "RUN_ERROR", message: "No such model" });
  });

  test.each([
    ["in the middle", gzipSync(frame("half") + done).subarray(0, -20), "end", /broke off/],
    ["with the connection", gzipSync(frame("half") + done).subarray(0, -20), "cut", /broke off/],
    ["as what it is not", Buffer.from(frame("plain") + done), "end", /could not be decompressed/],
    ["without its last event", gzipSync(frame("half")), "end", /broke off/],
  ] as const)("%s ends the run with an error", async (_what, bytes, end, message) => {
    bench.provider.script(packed(bytes, end));
    const events = await bench.run();
    expect(events.at(-1)).toEqual({ type: "RUN_ERROR", message: expect.stringMatching(message) });
  });

  test("in another way ends the run with an error", async () => {
    bench.provider.script(answer.bytes([done], { headers: { "content-encoding": "compress" } }));
    expect((await bench.run()).at(-1)?.message).toMatch(/compressed its answer/);
  });

  test.each([
    ["gzip", gzipSync(frame("a") + done).subarray(0, -8)],
    ["br", brotliCompressSync(frame("a") + done + "\n".repeat(100_000)).subarray(0, -1)],
  ])("as %s but leaves out the end of it has said all", async (encoding, bytes) => {
    bench.provider.script(answer.bytes([bytes], { headers: { "content-encoding": encoding } }));
    expect((await bench.run()).at(-1)).toMatchObject({ type: "RUN_FINISHED" });
  });

  test("but had said all before it was cut has finished", async () => {
    bench.provider.script(packed(Buffer.concat([gzipSync(frame("a") + done), Buffer.from([31])]), "cut"));
    expect((await bench.run()).at(-1)?.type).toBe("RUN_FINISHED");
  });

  test("with one event that unpacks to far more than an event may have ends the run with an error", async () => {
    bench.provider.script(packed(gzipSync(frame("x".repeat(64 * 1024 * 1024)))));
    expect((await bench.run()).at(-1)?.message).toMatch(/too large/);
  });

  test("and whose client does not read unpacks no more than sockets hold", async () => {
    const total = 16_384;
    bench.provider.script(packed(gzipSync(frame("x".repeat(1_000)).repeat(total) + done)));
    const { frames } = bench.relay.relay;
    const before = frames.recognised;
    const slow = await postWithoutReading(`${bench.relay.url}/agent`, runInput());
    let last = -1;
    await eventually(() => {
      const stalled = frames.recognised > before && frames.recognised === last;
      last = frames.recognised;
      return stalled;
    }, "the unpacking had to wait");
    expect(frames.recognised - before).toBeLessThan(total / 1.25);
    const answered = await slow.readAll();
    expect(answered.match(/TEXT_MESSAGE_CONTENT/g)).toHaveLength(total);
    expect(answered).toContain("RUN_FINISHED");
  });
});
