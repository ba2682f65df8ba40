import { EventEmitter } from "node:events";
import type { ServerResponse } from "node:http";
import { limits } from "@agent-backends/contract";
import { expect, test } from "vitest";
import { LargeBodies } from "./large-bodies.ts";

const share = limits.largeBodiesBytesPerClient;
const createResponse = () => Object.assign(new EventEmitter(), { closed: false }) as unknown as ServerResponse;

test("a client's bodies beyond its share wait until one of its requests has ended, others' don't", async () => {
  const bodies = new LargeBodies();
  const first = createResponse();
  expect(bodies.enter("a", share, first)).toBeUndefined();
  const waiting = bodies.enter("a", 1, createResponse());
  expect(waiting).toBeInstanceOf(Promise);
  expect(bodies.enter("b", share, createResponse())).toBeUndefined();
  first.emit("close");
  await waiting;
  expect(bodies.enter("a", share, createResponse())).toBeInstanceOf(Promise);
});

test("all clients together have room for so much, and no more", () => {
  const bodies = new LargeBodies();
  for (let held = 0; held + share <= limits.largeBodiesBytes; held += share)
    expect(bodies.enter(`client ${held}`, share, createResponse())).toBeUndefined();
  expect(bodies.enter("another", share, createResponse())).toBeInstanceOf(Promise);
});

test("a client that disconnects while waiting frees its place in the queue", async () => {
  const bodies = new LargeBodies();
  const [first, leaves, stays] = [createResponse(), createResponse(), createResponse()];
  bodies.enter("a", share, first);
  bodies.enter("a", share, leaves);
  leaves.emit("close");
  const waiting = bodies.enter("a", share, stays);
  first.emit("close");
  await waiting;
});
