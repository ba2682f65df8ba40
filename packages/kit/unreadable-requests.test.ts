import { once } from "node:events";
import { createServer } from "node:http";
import type { Socket } from "node:net";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { problems } from "@agent-backends/contract";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { listen } from "./listen.ts";
import { createLogger } from "./logger.ts";
import { writeProblem } from "./problem.ts";
import { answerUnreadable } from "./unreadable-requests.ts";

const log: Record<string, unknown>[] = [];
const logger = createLogger("test", "info", { write: (line: string) => void log.push(JSON.parse(line)) });

// A quick look at who is too slow; services look as often as node does.
const server = createServer({ connectionsCheckingInterval: 10 }, (request, response) => {
  if (request.url === "/streams") response.write("begun");
  else if (request.url === "/refused") writeProblem(response, problems.jsonRequired());
  else request.resume().on("end", () => response.end("read"));
});
answerUnreadable(server, logger);

let port: number;
beforeEach(async () => {
  log.length = 0;
  server.headersTimeout = 0;
  port = Number(new URL(await listen(server, { host: "127.0.0.1", port: 0 })).port);
});
afterEach(() => {
  server.close().closeAllConnections();
});

function open(to = port): Promise<Socket> {
  return new Promise((resolve) => {
    const socket: Socket = connect({ port: to, host: "127.0.0.1" }, () => resolve(socket));
  });
}

async function send(bytes: string, to = port): Promise<string> {
  const socket = await open(to);
  socket.write(bytes, "latin1");
  return text(socket);
}

const head = "POST / HTTP/1.1\r\nHost: x\r\n";

test.each([
  ["headers over the limit", `${head}X-Long: ${"x".repeat(20_000)}\r\n\r\n`, 431, "headers-too-large"],
  ["an address over the limit", `GET /${"x".repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`, 431, "headers-too-large"],
  ["headers without end", `${head}${"X-Many: 1\r\n".repeat(100_000)}`, 431, "headers-too-large"],
  ["no HTTP", "hello\r\n\r\n", 400, "bad-request"],
  ["another version of HTTP", "GET / HTTP/3.0\r\nHost: x\r\n\r\n", 400, "bad-request"],
  ["two lengths", `${head}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`, 400, "bad-request"],
  ["two framings", `${head}Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`, 400, "bad-request"],
  ["a chunk that is none", `${head}Transfer-Encoding: chunked\r\n\r\nzz\r\nab\r\n`, 400, "bad-request"],
  ["a header in a header", `${head}X: a\rSet-Cookie: b\r\n\r\n`, 400, "bad-request"],
  ["too much beside a chunk", `${head}Transfer-Encoding: chunked\r\n\r\n1;${"x".repeat(20_000)}\r\n`, 413, "too-large"],
])("%s is answered with problem details, and logged", async (_what, bytes, status, name) => {
  const answer = await send(bytes);
  expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  expect(answer).toMatch(/\r\nContent-Type: application\/problem\+json; charset=utf-8\r\n/);
  expect(answer).toMatch(/\r\nConnection: close\r\n/);
  const [, body = ""] = answer.split("\r\n\r\n");
  expect(JSON.parse(body)).toEqual({
    type: `urn:agent-backends:problem:${name}`,
    title: expect.any(String),
    status,
    detail: expect.any(String),
  });
  const [, id] = /\r\nX-Request-Id: (\S+)/.exec(answer) ?? [];
  expect(log).toMatchObject([{ level: 30, request_id: id, status, failure: expect.stringMatching(/^HPE_/) }]);
  expect(JSON.stringify(log)).not.toMatch(/X-Long|X-Many|Set-Cookie/);
});

const upgrade = `${head}Connection: Upgrade\r\nUpgrade: websocket\r\n`;

test.each([
  ["a chunk that is none", "Transfer-Encoding: chunked\r\n\r\nzz\r\nab\r\n"],
  ["no last chunk", "Transfer-Encoding: chunked\r\n\r\n2\r\nab\r\n"],
  ["too short a body", "Content-Length: 5\r\n\r\nab"],
])("a request to upgrade with %s is answered when its client has sent all", async (_what, rest) => {
  const socket = await open();
  socket.end(upgrade + rest);
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 400 .*"urn:agent-backends:problem:bad-request"/s);
  expect(log).toMatchObject([{ status: 400, failure: "HPE_INVALID_EOF_STATE" }]);
});

test.each(["Transfer-Encoding: gzip\r\n\r\n", "Transfer-Encoding: chunked\r\n\r\nzz\r\n"])(
  "a request that was refused before its body turned out to be broken keeps its answer (%j)",
  async (rest) => {
    const answer = await send(`POST /refused HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${rest}`);
    expect(answer).toMatch(/^HTTP\/1\.1 415 .*"urn:agent-backends:problem:unsupported-media-type"/s);
  },
);

test("a whole request to upgrade is answered as any other", async () => {
  const socket = await open();
  socket.end(`${upgrade}Content-Length: 2\r\n\r\nab`);
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 200 .*read/s);
});

test.each([
  ["is asked for once somebody reads it", "/", /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 .*read/s],
  ["is not asked for where the request is refused", "/refused", /^HTTP\/1\.1 415 /],
])("a body that a client holds back %s", async (_what, path, expected) => {
  const socket = await open();
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n`,
  );
  let seen = "";
  socket.on("data", (bytes) => {
    seen += bytes;
    if (!socket.writableEnded) socket.end(seen.includes("100 Continue") ? "ab" : "");
  });
  await once(socket, "close");
  expect(seen).toMatch(expected);
});

describe("a page of another origin", () => {
  const page = "https://chat.example.com";
  const tooLong = `${head}Origin: ${page}\r\nX-Long: ${"x".repeat(15_000)}\r\nX-Longer: ${"x".repeat(15_000)}\r\n\r\n`;
  const allowed = (answer: string) => /\r\naccess-control-allow-origin: (\S+)/i.exec(answer)?.[1];

  test("can read why its request was refused", async () => {
    const answer = await send(tooLong);
    expect(allowed(answer)).toBe("*");
    expect(answer).toContain("\r\nAccess-Control-Expose-Headers: X-Request-Id\r\n");
  });

  test.each([
    ["can where it is one of those that may call", [page, "http://localhost:3000"], page],
    ["can't where others may call", ["http://localhost:3000"], undefined],
  ])("%s", async (_what, origins, origin) => {
    const choosy = createServer();
    answerUnreadable(choosy, logger, origins);
    const to = Number(new URL(await listen(choosy, { host: "127.0.0.1", port: 0 })).port);
    expect(allowed(await send(tooLong, to))).toBe(origin);
    choosy.close();
  });
});

test("a request to tunnel is answered, also while its client still sends", async () => {
  const answer = await send(`CONNECT elsewhere:443 HTTP/1.1\r\nHost: x\r\n\r\n${"x".repeat(200_000)}`);
  expect(answer).toMatch(/^HTTP\/1\.1 405 .*\r\nAllow: GET, .*"urn:agent-backends:problem:method-not-allowed"/s);
  expect(log).toMatchObject([{ status: 405, failure: "CONNECT" }]);
});

test("a head that does not come to its end in time is told so", async () => {
  server.headersTimeout = 50;
  const answer = await send(head);
  expect(answer).toMatch(/^HTTP\/1\.1 408 .*"urn:agent-backends:problem:too-slow"/s);
  expect(log).toMatchObject([{ status: 408, failure: "ERR_HTTP_REQUEST_TIMEOUT" }]);
});

test("nothing is put into the midst of an answer: its connection is closed", async () => {
  const socket = await open();
  let seen = "";
  socket.on("data", (bytes) => {
    seen += bytes;
    if (seen.includes("begun")) socket.write("hello\r\n\r\n");
  });
  socket.write("GET /streams HTTP/1.1\r\nHost: x\r\n\r\n");
  await new Promise((resolve) => socket.once("close", resolve));
  expect(seen).toMatch(/^HTTP\/1\.1 200 [^{]*begun\r\n$/s);
  expect(log).toEqual([]);
});

test("unknown expectations are ignored", async () => {
  expect(await send(`${head}Expect: a miracle\r\nConnection: close\r\nContent-Length: 2\r\n\r\nab`)).toMatch(
    /^HTTP\/1\.1 200 .*read/s,
  );
});

test("a broken connection isn't logged", async () => {
  const socket = await open();
  socket.write(head);
  socket.resetAndDestroy();
  await send("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  expect(log).toEqual([]);
});
