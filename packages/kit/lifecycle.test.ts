import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { createServer } from "node:http";
import { afterEach, beforeEach, expect, test } from "vitest";
import { Lifecycle } from "./lifecycle.ts";
import { listen } from "./listen.ts";
import { ClientGoneError } from "./streams/client-signal.ts";
import type { EventStream } from "./streams/event-stream.ts";
import { openEventStream } from "./streams/event-stream.ts";

let server: Server;
let baseUrl: string;
let lifecycle: Lifecycle;
let serveStream: (stream: EventStream, response: ServerResponse) => void;
let format: "sse" | "ndjson" = "sse";
let heartbeatMs = 10_000;

async function start(graceMs: number): Promise<void> {
  lifecycle = new Lifecycle({ graceMs });
  server = createServer((request, response) => {
    if (lifecycle.refuse(request, response)) return;
    if (request.url === "/health") return void response.end("ok");
    serveStream(openEventStream(response, { format, heartbeatMs, lifecycle }), response);
  });
  lifecycle.attach(server);
  baseUrl = await listen(server, { host: "127.0.0.1", port: 0 });
}

beforeEach(() => {
  format = "sse";
  heartbeatMs = 10_000;
});
afterEach(() => {
  server.close().closeAllConnections();
});

test("a stream's head comes at once, and its events as they are sent", async () => {
  serveStream = async (stream) => {
    await stream.send({ type: "a" });
    await stream.send("[DONE]");
    stream.end();
  };
  await start(1_000);
  const response = await fetch(baseUrl);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    "content-type": "text/event-stream",
    "cache-control": "no-cache",
    "x-accel-buffering": "no",
  });
  expect(await response.text()).toBe('data: {"type":"a"}\n\ndata: [DONE]\n\n');
});

test.each([
  ["sse", ": keep-alive\n\n"],
  ["ndjson", "\n"],
] as const)("a silent %s stream carries heartbeats", async (chosen, heartbeat) => {
  format = chosen;
  heartbeatMs = 20;
  const { promise: heard, resolve: end } = Promise.withResolvers<void>();
  serveStream = (stream) => void heard.then(() => stream.end());
  await start(1_000);
  let seen = "";
  for await (const text of (await fetch(baseUrl)).body?.pipeThrough(new TextDecoderStream()) ?? []) {
    seen += text;
    if (seen.length >= 2 * heartbeat.length) end();
  }
  expect(seen.replaceAll(heartbeat, "")).toBe("");
});

test("a client that reads nothing stops its producer after a bounded number of bytes", async () => {
  const event = { text: "x".repeat(10_000) };
  let sent = 0;
  const gone = new Promise<unknown>((resolve) => {
    serveStream = async (stream) => {
      try {
        for (;;) {
          await stream.send(event);
          sent += 1;
        }
      } catch (error) {
        resolve(error);
      }
    };
  });
  await start(1_000);
  const controller = new AbortController();
  const response = await fetch(baseUrl, { signal: controller.signal });
  let before = -1;
  while (before !== sent && sent < 5_000) {
    before = sent;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  expect(sent).toBeLessThan(5_000);
  // A response that nothing refers to is closed by the garbage collector, which would stop the producer as well.
  expect(response.bodyUsed).toBe(false);
  controller.abort();
  expect(await gone).toBeInstanceOf(ClientGoneError);
});

test("requests for readiness that come at the same time share a check, and later ones don't", async () => {
  let checks = 0;
  const checkReady = async () => {
    checks += 1;
    await new Promise(setImmediate);
    return undefined;
  };
  const checked = new Lifecycle({ graceMs: 0, checkReady });
  const request = {} as IncomingMessage;
  await Promise.all(Array.from({ length: 100 }, () => checked.readiness(request)));
  expect(checks).toBe(1);
  await checked.readiness(request);
  expect(checks).toBe(2);
});

test("while it drains, a running stream ends in peace and new requests are told to come back", async () => {
  let finish: () => void = () => undefined;
  serveStream = async (stream) => {
    await stream.send({ type: "first" });
    finish = async () => {
      await stream.send({ type: "last" });
      stream.end();
    };
  };
  await start(60_000);
  const running = await fetch(baseUrl);
  const drained = lifecycle.drain();
  const refused = await fetch(baseUrl);
  expect(refused.status).toBe(503);
  expect(refused.headers.get("retry-after")).toBe("5");
  expect((await fetch(`${baseUrl}/health`)).status).toBe(200);
  finish();
  expect(await running.text()).toContain("last");
  await drained;
});

test("a stream that outlives the grace is told to end, and can still say why", async () => {
  serveStream = (stream) =>
    stream.signal.addEventListener("abort", async () => {
      await stream.send({ type: "error", message: (stream.signal.reason as Error).message });
      stream.end();
    });
  await start(50);
  const running = await fetch(baseUrl);
  await lifecycle.drain();
  expect(await running.text()).toContain("The service is shutting down");
});
