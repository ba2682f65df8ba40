import type { Server } from "node:http";
import { createServer } from "node:http";
import type { Socket } from "node:net";
import { connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { limits } from "@agent-backends/contract";
import { afterEach, expect, test, vi } from "vitest";
import { Lifecycle } from "../lifecycle.ts";
import { Capacity } from "../limits/capacity.ts";
import { LeasedSlots } from "../limits/slots.ts";
import { listen } from "../listen.ts";
import { ClientGoneError } from "./ended-errors.ts";
import type { EventStream } from "./event-stream.ts";
import { openEventStream } from "./event-stream.ts";

const event = { text: "x".repeat(10_000) };

let server: Server;
let client: Socket;
afterEach(() => {
  vi.restoreAllMocks();
  client.destroy();
  server.close().closeAllConnections();
});

/** A client that asks and reads nothing of what `serve` streams to it, and the places that streams take. */
async function stall(serve: (stream: EventStream) => Promise<void>) {
  const lifecycle = new Lifecycle({ graceMs: 0 });
  const one = { total: 1, perKey: 1 };
  const capacity = new Capacity(
    { stream: one, ingest: one, search: one, document: one },
    { slots: new LeasedSlots({ name: "test" }), workers: 1 },
  );
  const served = new Promise<unknown>((resolve) => {
    server = createServer((_request, response) => {
      capacity.take("stream", undefined, response);
      const stream = openEventStream(response, { format: "sse", heartbeatMs: 10_000, lifecycle });
      serve(stream)
        .then(resolve, resolve)
        .finally(() => stream.end());
    });
  });
  lifecycle.attach(server);
  const url = new URL(await listen(server, { host: "127.0.0.1", port: 0 }));
  client = connect(Number(url.port), url.hostname).pause();
  client.write("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  await expect.poll(() => capacity.running("stream")).toBe(1);
  return { served, capacity, lifecycle };
}

/** Resolves once a producer that counts what it sends has stopped. */
async function untilStopped(countSent: () => number): Promise<void> {
  for (let before = -1; before !== countSent() && before < maxSent; await delay(100)) before = countSent();
}

const maxSent = 5_000;

test("a client that reads nothing stops its producer after a bounded number of bytes", async () => {
  let sent = 0;
  const { served } = await stall(async (stream) => {
    for (; sent < maxSent; sent += 1) await stream.send(event);
  });
  await untilStopped(() => sent);
  expect(sent).toBeLessThan(maxSent);
  client.destroy();
  expect(await served).toBeInstanceOf(ClientGoneError);
});

test("a client that reads nothing gives its place back once the time for an answer is over", async () => {
  vi.spyOn(limits, "answerMs", "get").mockReturnValue(100 as never);
  const { served, capacity } = await stall(async (stream) => {
    for (;;) await stream.send(event);
  });
  expect(await served).toBeInstanceOf(ClientGoneError);
  await expect.poll(() => capacity.running("stream")).toBe(0);
});

test("a stream that has ended gives its place back, though its client does not read the rest", async () => {
  vi.spyOn(limits, "unreadMs", "get").mockReturnValue(100 as never);
  const { served, capacity } = await stall(async (stream) => {
    void Promise.allSettled(Array.from({ length: 2_000 }, () => stream.send(event)));
  });
  await served;
  await expect.poll(() => capacity.running("stream")).toBe(0);
});

test("a client that reads nothing does not keep its producer from hearing that the service stops", async () => {
  let sent = 0;
  const { served, lifecycle } = await stall(async (stream) => {
    for (; !stream.signal.aborted; sent += 1) await stream.send(event);
    await stream.send({ type: "error" });
  });
  await untilStopped(() => sent);
  await lifecycle.drain();
  expect(await served).toBeUndefined();
});
