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
