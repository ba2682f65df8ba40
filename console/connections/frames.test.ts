import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { FrameReader } from "./frames.ts";
import { maxFrameLength, NdjsonReader, SseReader } from "./frames.ts";

const readAll = (reader: FrameReader, pieces: string[]) => [
  ...pieces.flatMap((piece) => reader.push(piece)),
  ...reader.end(),
];
const data = (text: string) => ({ kind: "data", data: text });

/** A text cut at any places. */
const cutAnywhere = (text: string) =>
  fc
    .array(fc.nat(text.length), { maxLength: 12 })
    .map((places) => [0, ...places.sort((a, b) => a - b), text.length])
    .map((places) => places.slice(1).map((end, index) => text.slice(places[index], end)));

describe("server-sent events", () => {
  test.each([
    ["LF", 'data: {"a":1}\n\ndata: [DONE]\n\n'],
    ["CRLF", 'data: {"a":1}\r\n\r\ndata: [DONE]\r\n\r\n'],
    ["CR", 'data: {"a":1}\r\rdata: [DONE]\r\r'],
    ["no space, other fields, a byte order mark", '\uFEFFevent: x\nid: 1\ndata:{"a":1}\n\ndata:[DONE]\n\n'],
  ])("are read with %s, wherever the stream is cut", (_, text) => {
    fc.assert(
      fc.property(cutAnywhere(text), (pieces) => {
        expect(readAll(new SseReader(), pieces)).toEqual([data('{"a":1}'), data("[DONE]")]);
      }),
      { numRuns: 60 },
    );
  });

  test("join the data lines of an event, report heartbeats, and drop an unterminated event", () => {
    const text = "data: one\ndata: two\n\n: keep-alive\n\ndata\n\ndata: half";
    expect(readAll(new SseReader(), [text])).toEqual([
      data("one\ntwo"),
      { kind: "heartbeat", data: ": keep-alive" },
      data(""),
    ]);
  });

  test("are given up beyond the maximum length", () => {
    const reader = new SseReader();
    expect(() => reader.push(`data: ${"x".repeat(maxFrameLength)}`)).toThrow(/given up/);
  });
});

describe("newline-delimited JSON", () => {
  test("is read line by line, wherever the stream is cut, also without a final line break", () => {
    fc.assert(
      fc.property(cutAnywhere('{"a":"é😀"}\r\n\n{"b":2}'), (pieces) => {
        expect(readAll(new NdjsonReader(), pieces)).toEqual([
          data('{"a":"é😀"}'),
          { kind: "heartbeat", data: "" },
          data('{"b":2}'),
        ]);
      }),
      { numRuns: 60 },
    );
  });
});
