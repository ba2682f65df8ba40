import { once } from "node:events";
import type { Server, ServerResponse } from "node:http";
import { createServer } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { listenOnLoopback } from "@agent-backends/testing/fixtures";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { openEventStream } from "./event-stream.ts";
import { StreamedBody } from "./streamed-body.ts";

const events = [{ text: "one" }, { text: "zwölf 速い \u2028" }];
const body = 'data: {"text":"one"}\n\ndata: {"text":"zwölf 速い \\u2028"}\n\n';

let server: Server;
let prepare: (response: ServerResponse) => void;
beforeEach(async () => {
  prepare = () => undefined;
  server = createServer(async (_request, response) => {
    prepare(response);
    const stream = openEventStream(response, { format: "sse", heartbeatMs: 10_000 });
    for (const event of events) await stream.send(event);
    stream.end();
  });
  await listenOnLoopback(server, onTestFinished);
});

function send(...requests: string[]): Socket {
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  for (const request of requests) socket.write(`${request}\r\nHost: x\r\n\r\n`);
  return socket;
}

test("a client of HTTP/1.0 gets the events as they are, until the connection closes", async () => {
  const answer = await text(send("GET / HTTP/1.0"));
  expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
  expect(answer).not.toMatch(/transfer-encoding/i);
  expect(answer.slice(answer.indexOf("\r\n\r\n") + 4)).toBe(body);
});

test.each([
  ["GET / HTTP/1.1", /keep-alive/],
  ["GET / HTTP/1.1\r\nConnection: close", /close/],
  ["GET / HTTP/1.0", /close/],
  ["GET / HTTP/1.0\r\nConnection: keep-alive", /close/],
])("the answer to %j says what becomes of the connection", async (request, expected) => {
  const socket = send(request);
  const [head] = await once(socket, "data");
  expect(
    String(head)
      .match(/^Connection: (.*)$/gm)
      ?.join(),
  ).toMatch(expected);
  socket.destroy();
});

test("who asks for the head alone gets the head alone", async () => {
  const answer = await text(send("HEAD / HTTP/1.1\r\nConnection: close"));
  expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\nContent-Type: text\/event-stream\r\n/);
  expect(answer.endsWith("\r\n\r\n")).toBe(true);
  expect(answer.indexOf("\r\n\r\n")).toBe(answer.length - 4);
});

test("a connection is used again, also for requests that do not wait for the answer before", async () => {
  const answer = await text(send("GET / HTTP/1.1", "GET / HTTP/1.1", "GET / HTTP/1.1\r\nConnection: close"));
  const size = Buffer.byteLength(body).toString(16);
  const wholes = answer.split("HTTP/1.1 200 OK").slice(1);
  expect(wholes).toHaveLength(3);
  for (const whole of wholes) {
    const [head, ...chunks] = whole.split("\r\n\r\n");
    expect(head).toMatch(/transfer-encoding: chunked/i);
    expect(chunks.join("\r\n\r\n").startsWith(`${size}\r\n${body}\r\n0`)).toBe(true);
  }
});

test("events that follow each other at once are one chunk", async () => {
  const sizes = /\r\n\r\n([0-9a-f]+)\r\n/.exec(await text(send("GET / HTTP/1.1\r\nConnection: close")));
  expect(sizes?.[1]).toBe(Buffer.byteLength(body).toString(16));
});

test.each([
  [1, "in the turn after it", 1],
  [3, "later", 2],
])("bytes %i turns after the first ones, %s, are sent in %i writes, unchanged", async (turns, _when, writes) => {
  let count = Number.NaN;
  server.removeAllListeners("request");
  server.on("request", async (_request, response) => {
    const written = vi.spyOn(response.socket as Socket, "write");
    const body = new StreamedBody(response, { format: "sse", heartbeatMs: 10_000 });
    body.write("é");
    for (let turn = 0; turn < turns; turn += 1) await new Promise(setImmediate);
    body.writeBytes(Buffer.from([0xff]));
    await new Promise(setImmediate);
    count = written.mock.calls.length;
    body.end("");
  });
  const pieces = await send("GET / HTTP/1.1\r\nConnection: close").toArray();
  expect(Buffer.concat(pieces).toString("latin1")).toMatch(/\r\n\r\n2\r\n\xc3\xa9\r\n1\r\n\xff\r\n0\r\n\r\n$/);
  expect(count).toBe(writes);
});

test("what compresses or collects answers is passed by", async () => {
  prepare = (response) => {
    response.setHeader("Content-Encoding", "gzip");
    response.write = () => {
      throw new Error("collected");
    };
    response.end = response.write as never;
  };
  const answer = await text(send("GET / HTTP/1.1\r\nConnection: close"));
  expect(answer).not.toMatch(/content-encoding/i);
  expect(answer).toContain(body);
});
