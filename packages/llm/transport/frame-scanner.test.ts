import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FrameScanner, FrameTooLargeError } from "./frame-scanner.ts";

function scan(pieces: Iterable<Uint8Array>, maxFrameBytes = 1024): { data: string; event: string }[] {
  const frames: { data: string; event: string }[] = [];
  const scanner = new FrameScanner({
    maxFrameBytes,
    handle(bytes, start, end, event) {
      frames.push({ data: bytes.toString("utf8", start, end), event });
      return true;
    },
  });
  for (const piece of pieces) scanner.push(Buffer.from(piece));
  scanner.end();
  return frames;
}

const whole = (text: string) => scan([Buffer.from(text)]);
const byByte = (text: string) => scan([...Buffer.from(text)].map((byte) => Uint8Array.of(byte)));
const data = (...texts: string[]) => texts.map((text) => ({ data: text, event: "" }));

describe.each([
  ["whole", whole],
  ["byte by byte", byByte],
])("a stream that arrives %s", (_way, read) => {
  test.each<[string, string, { data: string; event: string }[]]>([
    ["LF line ends", "data: a\n\ndata: b\n\n", data("a", "b")],
    ["CRLF line ends", "data: a\r\n\r\ndata: b\r\n\r\n", data("a", "b")],
    ["CR line ends", "data: a\r\rdata: b\r\r", data("a", "b")],
    ["mixed line ends", "data: a\r\n\ndata: b\r\r\ndata: c\n\r\n", data("a", "b", "c")],
    ["no space after the colon", "data:a\n\n", data("a")],
    ["only the first space dropped", "data:  a \n\n", data(" a ")],
    ["several data lines joined", "data: a\ndata: b\ndata:\ndata: c\n\n", data("a\nb\n\nc")],
    ["several data lines with CRLF", "data: a\r\ndata: b\r\n\r\n", data("a\nb")],
    ["comments, before, between and inside", ": x\n\n:\ndata: a\n: y\ndata: b\n\n: z\n\n", data("a\nb")],
    ["a byte order mark", "\uFEFFdata: a\n\n", data("a")],
    ["a byte order mark before an empty line", "\uFEFF\n\ndata: a\n\n", data("a")],
    ["the event's name", "event: error\ndata: a\n\ndata: b\n\n", [{ data: "a", event: "error" }, ...data("b")]],
    ["a name after its data", "data: a\nevent:ping\n\n", [{ data: "a", event: "ping" }]],
    ["a name without data", "event: ping\n\ndata: a\n\n", data("a")],
    ["fields that do not matter", "id: 1\nretry: 5\ndatabase: x\ndat: y\ndata: a\n\n", data("a")],
    ["empty data", "data\n\ndata:\n\ndata: a\n\n", data("a")],
    ["no empty line at the end", "data: a\n\ndata: b", data("a", "b")],
    ["many empty lines", "\n\n\ndata: a\n\n\n\n\ndata: b\n\n\n", data("a", "b")],
    ["characters of several bytes", "data: ü €🎉\n\n", data("ü €🎉")],
    [
      "objects without data:",
      'data: a\n\n{"b":1}\ndata: c\n\n{"d":\n{"e":1}\r\n{"f":1}',
      data("a", '{"b":1}', "c", '{"e":1}', '{"f":1}'),
    ],
    [
      "errors in a field of that name",
      'data: a\n\nerror: {"b":1}\n\nerror:{"c":1}\r\ndata: d\n\nerror: e\nerror\ndata: f\n\n',
      [...data("a"), { data: '{"b":1}', event: "error" }, { data: '{"c":1}', event: "error" }, ...data("d", "f")],
    ],
    [
      "JSON after JSON without an empty line",
      'data: {"a":1}\ndata: {"b":{}}\r\ndata:[DONE]\ndata: c\n\ndata: {"d":\ndata: {"e":1}}\ndata: {"f":1}',
      data('{"a":1}', '{"b":{}}', "[DONE]\nc", '{"d":\n{"e":1}}', '{"f":1}'),
    ],
    ["an object inside an event left out", 'data: a\n{"b":1}\ndata: c\n\n', data("a\nc")],
    ["nothing", "", []],
  ])("is read with %s", (_what, text, frames) => {
    expect(read(text)).toEqual(frames);
  });
});

test("any split into pieces gives the same events", () => {
  const line = fc.constantFrom(
    "data: a",
    "data:ü🎉",
    ": c",
    "event: e",
    "id: 1",
    "",
    "",
    "data",
    "\uFEFFdata: b",
    "{}",
    "error: {}",
    "data: {}",
  );
  const lines = fc.array(fc.tuple(line, fc.constantFrom("\n", "\r\n", "\r")));
  fc.assert(
    fc.property(lines, fc.array(fc.integer({ min: 1, max: 9 })), (parts, sizes) => {
      const bytes = Buffer.from(parts.flat().join(""));
      const pieces: Uint8Array[] = [];
      for (let at = 0, turn = 0; at < bytes.length; turn += 1) {
        const size = sizes[turn % sizes.length] ?? 3;
        pieces.push(bytes.subarray(at, at + size));
        at += size;
      }
      expect(scan(pieces)).toEqual(scan([bytes]));
    }),
  );
});

test("a handler that returns false stops the scan", () => {
  const seen: string[] = [];
  const scanner = new FrameScanner({
    maxFrameBytes: 100,
    handle(bytes, start, end) {
      seen.push(bytes.toString("utf8", start, end));
      return false;
    },
  });
  scanner.push(Buffer.from("data: a\n\ndata: b\n\n"));
  scanner.push(Buffer.from("data: c\n\n"));
  scanner.end();
  expect(seen).toEqual(["a"]);
});

test("an event over the bound is refused, in one line or in many", () => {
  const piece = Buffer.from("x".repeat(60));
  expect(() => scan([Buffer.from("data: "), piece, piece], 100)).toThrow(FrameTooLargeError);
  expect(() => scan(new Array(10).fill(Buffer.from("data: 123456789\n")), 100)).toThrow(FrameTooLargeError);
});

test("comments without end are never too much", () => {
  expect(scan(new Array(1000).fill(Buffer.from(": still thinking\n")), 100)).toEqual([]);
});
