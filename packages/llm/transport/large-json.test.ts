import fc from "fast-check";
import { expect, test } from "vitest";
import { LargeJson, toJsonBody } from "./large-json.ts";

const text = fc
  .tuple(fc.string({ unit: "grapheme", minLength: 1, maxLength: 30 }), fc.nat(10_000))
  .map(([text, times]) => text.repeat(times));
const value = fc.oneof(fc.string({ unit: "binary" }), fc.double(), fc.constantFrom(undefined, null, true), text);
const message = fc.record({
  role: fc.string(),
  content: fc.oneof(value, fc.array(fc.dictionary(fc.string(), value), { maxLength: 3 })),
});

test("a large conversation is the same JSON as a small one", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(message, { maxLength: 3 }), async (messages) => {
      const fields = { model: "m", messages, tools: undefined };
      const encoded = await new LargeJson(fields, 0).encode(() => true);
      expect(Buffer.concat(encoded ?? []).equals(Buffer.from(JSON.stringify(fields)))).toBe(true);
    }),
    { numRuns: 15 },
  );
});

test("only long conversations are written in pieces, and no longer than they are wanted", async () => {
  const small = { model: "m", messages: [{ role: "user", content: "Hi" }] };
  expect(toJsonBody(small)).toBe(JSON.stringify(small));
  const tool = { function: { name: "find", description: "x".repeat(1_000), parameters: {} } };
  expect(toJsonBody({ messages: [], tools: Array(1_000).fill(tool) })).toBeInstanceOf(LargeJson);
  const large = toJsonBody({ messages: [{ role: "user", content: [{ text: "é".repeat(2_000_000) }] }] }) as LargeJson;
  expect(large.length).toBeGreaterThan(2_000_000);
  let turns = 0;
  expect(await large.encode(() => ++turns < 3)).toBeUndefined();
  const pieces = (await large.encode(() => true)) ?? [];
  expect(large.length).toBe(Buffer.concat(pieces).length);
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(200_000);
});
