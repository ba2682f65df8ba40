import { EventEmitter } from "node:events";
import type { ServerResponse } from "node:http";
import { ProblemError } from "@agent-backends/contract";
import { expect, test } from "vitest";
import { Capacity } from "./capacity.ts";

const response = (closed = false) => Object.assign(new EventEmitter(), { closed }) as unknown as ServerResponse;
const single = { total: 1, perKey: 1 };
const few = () => new Capacity({ stream: { total: 3, perKey: 2 }, ingest: single, search: single, document: single });

function refusal(work: () => void): ProblemError {
  try {
    work();
  } catch (error) {
    if (error instanceof ProblemError) return error;
  }
  throw new Error("It was not refused.");
}

test("a key gets its share, and is told to wait for more", () => {
  const capacity = few();
  const [first] = [response(), response()].map((one) => {
    capacity.take("stream", "a", one);
    return one;
  });
  const refused = refusal(() => capacity.take("stream", "a", response()));
  expect([refused.status, refused.headers["Retry-After"]]).toEqual([429, "5"]);
  capacity.take("stream", "b", response());
  first?.emit("close");
  capacity.take("stream", "a", response());
});

test("a full process refuses every client at once and has room again when work ends", () => {
  const capacity = few();
  const running = [response(), response(), response()];
  for (const one of running) capacity.take("stream", undefined, one);
  const refused = refusal(() => capacity.take("stream", "a", response()));
  expect([refused.status, refused.headers["Retry-After"]]).toEqual([503, "5"]);
  capacity.take("ingest", "a", response());
  running[0]?.emit("close");
  capacity.take("stream", "a", response());
  expect(capacity.running("stream")).toBe(3);
});

test("a request whose client has disconnected takes no slot", () => {
  const capacity = few();
  capacity.take("ingest", "a", response(true));
  expect(capacity.running("ingest")).toBe(0);
});
