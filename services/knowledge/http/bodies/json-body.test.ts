import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { isDeepStrictEqual } from "node:util";
import { createTemporaryFolder } from "@agent-backends/testing/fixtures";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { receiveBody } from "./json-body.ts";

const parent = await createTemporaryFolder();
let count = 0;

const bounds = { maxBytes: 4_000_000, maxRestBytes: 1_000_000 };

function receive(chunks: readonly (string | Buffer)[], more = {}) {
  const folder = join(parent, String(count++));
  return receiveBody(
    Readable.from(
      chunks.map((chunk) => Buffer.from(chunk)),
      { objectMode: false },
    ),
    { client: "a", ...bounds, folder, ...more },
  );
}

const cut = (bytes: Buffer, size: number) =>
  Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) =>
    bytes.subarray(index * size, (index + 1) * size),
  );

/** As clients write it that send nothing but ASCII. */
const inAscii = (json: string) =>
  json.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);

/** What was received, with the long strings back in their places. */
async function restoreStrings({ fields, longStrings }: Awaited<ReturnType<typeof receive>>): Promise<unknown> {
  const texts = new Map<unknown, string>();
  for (const [mark, { path, bytesOnDisk, prefix }] of longStrings ?? []) {
    const bytes = await readFile(path);
    expect(bytes.byteLength).toBe(bytesOnDisk);
    expect(bytes.toString().startsWith(prefix)).toBe(true);
    texts.set(mark, bytes.toString());
  }
  return JSON.parse(JSON.stringify(fields), (_, value) => texts.get(value) ?? value);
}

describe("a body of JSON", () => {
  it("is what was sent, whatever its strings are and wherever it is cut on its way", async () => {
    const unit = fc.constantFrom("a", '"', "\\", "\n", "é", "漢", "😀", "\u0000", '\\"', "\\u0041", "/");
    const string = fc.record({
      units: fc.array(unit, { minLength: 1, maxLength: 8 }),
      times: fc.oneof(fc.constant(1), fc.integer({ min: 5_000, max: 30_000 })),
    });
    const chunkSize = fc.integer({ min: 1_000, max: 70_000 });
    await fc.assert(
      fc.asyncProperty(fc.array(string, { maxLength: 4 }), fc.boolean(), chunkSize, async (strings, isAscii, size) => {
        const values = strings.map(({ units, times }) => units.join("").repeat(times));
        const sent = { sources: values.map((value, index) => (index % 2 === 0 ? value : { value, title: value })) };
        const json = isAscii ? inAscii(JSON.stringify(sent)) : JSON.stringify(sent);
        const received = await receive(cut(Buffer.from(json), size), { maxBytes: Infinity, maxRestBytes: Infinity });
        expect(isDeepStrictEqual(await restoreStrings(received), sent)).toBe(true);
        await received.discard();
      }),
      { numRuns: 30 },
    );
  });

  it("may hold halves of characters, which are replaced where they stand alone", async () => {
    const long = "x".repeat(100_000);
    const halves = [`\\ud83d${long}`, `${long}\\ud83d`, `${long}\\ude00\\ud83d\\ude00`];
    const received = await receive([...(`["${halves.join('","')}"]`.match(/.{1,9}/g) ?? [])]);
    expect(await restoreStrings(received)).toEqual([`\ufffd${long}`, `${long}\ufffd`, `${long}\ufffd😀`]);
    await received.discard();
  });

  it("may begin with a byte order mark", async () => {
    const received = await receive(['\ufeff["', "é".repeat(300_000), '"]']);
    expect(await restoreStrings(received)).toEqual(["é".repeat(300_000)]);
    await received.discard();
  });

  it.each([5, 100_000, 300_001])(
    "is refused where %d bytes are no UTF-8, in short and in long strings",
    async (length) => {
      const latin1 = Buffer.from("caf\xe9 ".repeat(length / 5 + 1), "latin1");
      await expect(receive(['["', latin1, '"]'])).rejects.toMatchObject({ status: 400, code: "not-json" });
      await expect(receive(cut(Buffer.concat([Buffer.from('["'), latin1]), 999))).rejects.toMatchObject({
        status: 400,
      });
    },
  );

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
