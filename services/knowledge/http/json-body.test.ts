import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { receiveBody } from "./json-body.ts";

let parent: string;
let count = 0;
beforeAll(async () => {
  parent = await mkdtemp(join(tmpdir(), "knowledge-json-"));
});
afterAll(() => rm(parent, { recursive: true }));

const bounds = { maxBytes: 4_000_000, maxRestBytes: 1_000_000 };

function receive(chunks: readonly (string | Buffer)[], more = {}) {
  const folder = join(parent, String(count++));
  return receiveBody(
    Readable.from(
      chunks.map((chunk) => Buffer.from(chunk)),
      { objectMode: false },
    ),
    { ...bounds, folder, ...more },
  );
}

/** What was received, with the long strings back in their places. */
async function wholeOf({ fields, longStrings }: Awaited<ReturnType<typeof receive>>): Promise<unknown> {
  const texts = new Map<unknown, string>();
  for (const [mark, { path, bytesOnDisk, beginning }] of longStrings ?? []) {
    const bytes = await readFile(path);
    expect(bytes.byteLength).toBe(bytesOnDisk);
    expect(bytes.toString().startsWith(beginning)).toBe(true);
    texts.set(mark, bytes.toString());
  }
  return JSON.parse(JSON.stringify(fields), (_, value) => texts.get(value) ?? value);
}

describe("a body of JSON", () => {
  it("is what was sent, whatever its strings are and wherever it is cut on its way", async () => {
    const piece = fc.constantFrom("a", '"', "\\", "\n", "é", "漢", "😀", "\ud83d", "\u0000", '\\"', "\\u0041", "/");
    const string = fc.oneof(
      fc.string(),
      fc
        .tuple(fc.array(piece, { minLength: 1, maxLength: 8 }), fc.integer({ min: 1, max: 30_000 }))
        .map(([parts, times]) => parts.join("").repeat(times)),
    );
    const value = fc.record({ sources: fc.array(fc.oneof(string, fc.record({ value: string, title: string }))) });
    await fc.assert(
      fc.asyncProperty(value, fc.boolean(), fc.integer({ min: 1, max: 70_000 }), async (sent, isEscaped, size) => {
        const plain = JSON.stringify(sent);
        // As clients write it that send nothing but ASCII.
        const json = isEscaped
          ? plain.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
          : plain;
        const bytes = Buffer.from(json);
        const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
          bytes.subarray(index * size, (index + 1) * size),
        );
        const received = await receive(chunks, { maxBytes: Infinity, maxRestBytes: Infinity });
        const wellFormed = JSON.parse(plain, (_, one) =>
          typeof one === "string" && one.length > 10_000 ? one.toWellFormed() : one,
        );
        const got = JSON.parse(JSON.stringify(await wholeOf(received)), (_, one) =>
          typeof one === "string" && one.length > 10_000 ? one.toWellFormed() : one,
        );
        expect(got).toEqual(wellFormed);
        await received.discard();
      }),
      { numRuns: 40 },
    );
  });

  it("has its long strings on disk alone, and nothing there once it is discarded or refused", async () => {
    const long = "Some words. ".repeat(100_000);
    const received = await receive([JSON.stringify({ sources: [long, "short"] })]);
    expect(JSON.stringify(received.fields).length).toBeLessThan(10_000);
    expect([...(received.longStrings?.values() ?? [])]).toMatchObject([{ bytesOnDisk: long.length }]);
    await received.discard();
    await expect(receive([`{"sources": ["${long}`, "\n"])).rejects.toMatchObject({ status: 400 });
    expect(await readdir(parent)).toEqual([]);
  });

  it.each([
    ["nothing", "", undefined],
    ["white space", " \n", undefined],
    ["null", "null", null],
  ])("may hold %s", async (_what, body, fields) => {
    expect((await receive([body])).fields).toBe(fields);
  });

  it.each([
    ["cut off", '{"sources": ["a', 400],
    ["no JSON", "sources=1", 400],
    ["a long string with a line end in it", `["${"x".repeat(100_000)}\n"]`, 400],
    ["a long string with a wrong escape", `["${"x".repeat(100_000)}\\x"]`, 400],
    ["over the limit", `["${"x".repeat(4_000_000)}"]`, 413],
    ["full of small things", JSON.stringify(Array.from({ length: 300_000 }, (_, index) => index)), 413],
  ])("is refused when it is %s", async (_what, body, status) => {
    await expect(receive([body])).rejects.toMatchObject({ status });
  });
});
