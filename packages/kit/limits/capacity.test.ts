import { EventEmitter } from "node:events";
import type { ServerResponse } from "node:http";
import { ProblemError } from "@agent-backends/contract";
import { expect, test } from "vitest";
import { Capacity } from "./capacity.ts";
import { LeasedSlots } from "./slots.ts";

const response = (closed = false) => Object.assign(new EventEmitter(), { closed }) as unknown as ServerResponse;
const single = { total: 1, perKey: 1 };
const few = (workers = 1) =>
  new Capacity(
    { stream: { total: 3, perKey: 2 }, ingest: single, search: single, document: single },
    { slots: new LeasedSlots({ name: "test" }), workers },
  );

async function refusal(work: () => Promise<void> | undefined): Promise<ProblemError> {
  try {
    await work();
  } catch (error) {
    if (error instanceof ProblemError) return error;
  }
  throw new Error("It was not refused.");
}

test("a key gets its share, and is told to wait for more", async () => {
  const capacity = few();
  const [first, second] = [response(), response()];
  await Promise.all([first, second].map((one) => capacity.take("stream", "a", one)));
  const refused = await refusal(() => capacity.take("stream", "a", response()));
  expect([refused.status, refused.headers["Retry-After"]]).toEqual([429, "5"]);
  await capacity.take("stream", "b", response());
  first.emit("close");
  await capacity.take("stream", "a", response());
});

test("a full process refuses every client at once and has room again when work ends", async () => {
  const capacity = few();
  const running = [response(), response(), response()];
  for (const one of running) expect(capacity.take("stream", undefined, one)).toBeUndefined();
  const refused = await refusal(() => capacity.take("stream", "a", response()));
  expect([refused.status, refused.headers["Retry-After"]]).toEqual([503, "5"]);
  await capacity.take("ingest", "a", response());
  running[0]?.emit("close");
  await capacity.take("stream", "a", response());
  expect(capacity.running("stream")).toBe(3);
});

test("workers share the total", async () => {
  const capacity = few(2);
  capacity.take("stream", undefined, response());
  capacity.take("stream", undefined, response());
  expect((await refusal(() => capacity.take("stream", undefined, response()))).message).toContain("3 requests");
});

test("a request whose client has disconnected takes no slot", async () => {
  const capacity = few();
  await capacity.take("ingest", "a", response(true));
  expect(capacity.running("ingest")).toBe(0);
  await capacity.take("ingest", "a", response());
});
