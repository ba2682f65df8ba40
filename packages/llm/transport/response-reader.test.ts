import { describe, expect, test } from "vitest";
import { ResponseReader } from "./response-reader.ts";

/** Reads a response that arrives in pieces of `size` bytes. */
function read(text: string, size = text.length) {
  const bytes = Buffer.from(text, "latin1");
  let body = "";
  let status = 0;
  let keepAlive = false;
  let completed = 0;
  const reader = new ResponseReader({
    onHead: (head) => ({ status, keepAlive } = head),
    onBody(from, start, end) {
      body += from.toString("latin1", start, end);
    },
    onComplete: () => {
      completed += 1;
    },
  });
  let left = "";
  for (let at = 0; at < bytes.length; at += size) {
    const end = Math.min(at + size, bytes.length);
    left += bytes.toString("latin1", reader.push(bytes, at, end), end);
  }
  const complete = completed === 1;
  return { status, keepAlive, body, left, complete, whole: reader.end() };
}

const head = (...lines: string[]) => `${["HTTP/1.1 200 OK", ...lines].join("\r\n")}\r\n\r\n`;
const chunked = head("Content-Type: text/event-stream", "transfer-encoding:  Chunked ");

describe("a response, in pieces of any size,", () => {
  test.each<[string, string, object]>([
    ["of a known length", `${head("Content-Length: 5")}hello`, { body: "hello", keepAlive: true, complete: true }],
    ["without a body", head("Content-Length: 0"), { body: "", keepAlive: true, complete: true }],
    ["with status 204", "HTTP/1.1 204 No Content\r\n\r\n", { status: 204, body: "", keepAlive: true, complete: true }],
    [
      "in chunks",
      `${chunked}5\r\nhello\r\n1;name=value\r\n \r\n0A\r\n0123456789\r\n0\r\n\r\n`,
      { body: "hello 0123456789", keepAlive: true, complete: true },
    ],
    ["with trailers", `${chunked}1\r\na\r\n0\r\nX-Sum: 1\r\nY: 2\r\n\r\n`, { body: "a", complete: true, left: "" }],
    [
      "until the connection closes",
      `${head()}hello`,
      { body: "hello", keepAlive: false, complete: false, whole: true },
    ],
    [
      "after interim responses",
      `HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n${head("Content-Length: 1")}a`,
      { status: 200, body: "a", complete: true },
    ],
    [
      "that closes the connection",
      `${head("Connection: Close", "Content-Length: 1")}a`,
      { keepAlive: false, complete: true },
    ],
    ["of HTTP/1.0", "HTTP/1.0 200 OK\r\nContent-Length: 1\r\n\r\na", { keepAlive: false, complete: true }],
    ["with line feeds alone", chunked.replaceAll("\r", "").concat("1\na\n0\n\n"), { body: "a", complete: true }],
    [
      "with both a length and chunks, of which the chunks count",
      `${head("Content-Length: 3", "Transfer-Encoding: chunked")}1\r\na\r\n0\r\n\r\n`,
      { body: "a", keepAlive: false, complete: true },
    ],
    [
      "with its length said twice alike",
      `${head("Content-Length: 1", "Content-Length: 1")}a`,
      { body: "a", complete: true },
    ],
    ["that is followed by more", `${head("Content-Length: 1")}ab`, { body: "a", left: "b", complete: true }],
    ["cut in its head", "HTTP/1.1 200 OK\r\nContent-", { whole: false }],
    ["cut in a chunk", `${chunked}5\r\nhel`, { body: "hel", whole: false }],
    ["cut before its last chunk", `${chunked}5\r\nhello\r\n`, { body: "hello", whole: false }],
    ["cut within its length", `${head("Content-Length: 9")}hello`, { body: "hello", whole: false }],
  ])("%s", (_what, text, expected) => {
    for (let size = 1; size <= text.length; size += 1) expect(read(text, size)).toMatchObject(expected);
  });
});

describe("an ambiguous response is rejected:", () => {
  test.each([
    ["no HTTP", "SSH-2.0-OpenSSH_9.6\r\n\r\n"],
    ["another version", "HTTP/2 200 OK\r\n\r\n"],
    ["a switch of protocols", "HTTP/1.1 101 Switching Protocols\r\nUpgrade: h2c\r\n\r\n"],
    ["two lengths", head("Content-Length: 1", "Content-Length: 2")],
    ["a negative length", head("Content-Length: -1")],
    ["a length in hexadecimal", head("Content-Length: 0x1")],
    ["another transfer coding", head("Transfer-Encoding: gzip, chunked")],
    ["a folded header", head("X-A: 1", " 2")],
    ["a header without a name", head(": 1")],
    ["a space before the colon", head("Transfer-Encoding : chunked")],
    ["a chunk without a size", `${chunked}\r\na\r\n`],
    ["a size that is no number", `${chunked}xyz\r\n`],
    ["a size beyond measure", `${chunked}fffffffffffff\r\n`],
    ["a chunk that is longer than its size", `${chunked}1\r\nab\r\n0\r\n\r\n`],
    ["a head without end", `HTTP/1.1 200 OK\r\n${"X: y\r\n".repeat(20_000)}`],
    ["a size line without end", `${chunked}1;${"x".repeat(10_000)}`],
    ["trailers without end", `${chunked}0\r\n${"X: y\r\n".repeat(20_000)}`],
  ])("%s", (_what, text) => {
    for (const size of [1, 7, text.length]) expect(() => read(text, size)).toThrow(/^(The answer|A chunk)/);
  });
});
