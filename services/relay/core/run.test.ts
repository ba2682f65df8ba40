import { runInputSchema } from "@agent-backends/contract";
import type { CompletionStreamHandler } from "@agent-backends/llm";
import { ProviderError } from "@agent-backends/llm";
import { expect, test, vi } from "vitest";
import { EventBuffer } from "./event-buffer.ts";
import { failures, streamErrorFailure } from "./failures.ts";
import { startRun } from "./run.ts";

const input = runInputSchema.parse({ threadId: "t", runId: "r", messages: [{ id: "1", role: "user", content: "Hi" }] });
const frame = (content: string) => Buffer.from(`data: {"choices":[{"delta":{"content":"${content}"}}]}\n\n`);
const done = Buffer.from("data: [DONE]\n\n");

function begin(profile: "contract" | "ag-ui" = "contract") {
  const writes: string[] = [];
  const output = { write: vi.fn((bytes: Buffer) => writes.push(bytes.toString("utf8")) > 0), end: vi.fn() };
  const stream = { pause: vi.fn(), resume: vi.fn(), abort: vi.fn(), release: vi.fn() };
  const report = vi.fn();
  let handler: CompletionStreamHandler | undefined;
  const run = startRun(input, profile, output, {
    model: "m",
    events: new EventBuffer(),
    newId: () => "id",
    describeError: (error) => streamErrorFailure(error, []),
    report,
    completions: {
      open(_body, given) {
        handler = given;
        return stream;
      },
    },
  });
  if (!handler) throw new Error("The provider was not asked.");
  return { writes, output, stream, report, handler, run };
}

test("RUN_STARTED is written before the provider says anything", () => {
  expect(begin().writes).toEqual(['data: {"type":"RUN_STARTED","threadId":"t","runId":"r"}\n\n']);
});

test("all events of one read are written at once", () => {
  const { writes, handler } = begin();
  handler.onBytes([frame("a"), frame("b"), frame("c")]);
  expect(writes).toHaveLength(2);
  expect(writes[1]?.match(/TEXT_MESSAGE_CONTENT/g)).toHaveLength(3);
});

test("bytes that give no event write nothing", () => {
  const { writes, handler } = begin();
  handler.onBytes([Buffer.from(": still thinking\n\n")]);
  expect(writes).toHaveLength(1);
});

test("a full output pauses the provider until it has drained", () => {
  const { output, stream, handler, run } = begin();
  output.write.mockReturnValueOnce(false);
  handler.onBytes([frame("a")]);
  expect(stream.pause).toHaveBeenCalledOnce();
  run.drained();
  expect(stream.resume).toHaveBeenCalledOnce();
});

test("a finished run leaves the connection for the next, a failed one aborts its request", () => {
  const finished = begin();
  finished.handler.onBytes([frame("a"), done, frame("late")]);
  expect(finished.stream.release).toHaveBeenCalledOnce();
  expect(finished.stream.abort).not.toHaveBeenCalled();
  expect(finished.output.end).toHaveBeenCalledOnce();
  expect(finished.report).not.toHaveBeenCalled();

  const failed = begin();
  const error = new ProviderError("cut", "It broke off.");
  failed.handler.onFailure(error);
  expect(failed.stream.abort).toHaveBeenCalledOnce();
  expect(failed.output.end).toHaveBeenCalledOnce();
  expect(failed.report).toHaveBeenCalledExactlyOnceWith({ code: "provider_cut", message: "It broke off." }, error);
});

test("nothing is written for a client that is gone", () => {
  const { writes, output, stream, handler, run } = begin();
  run.abandon();
  handler.onBytes([frame("a"), done]);
  run.fail(failures.shuttingDown);
  expect(stream.abort).toHaveBeenCalledOnce();
  expect(writes).toHaveLength(1);
  expect(output.end).not.toHaveBeenCalled();
});

test("an output that throws ends the run, and is reported", () => {
  const { output, handler, report, stream } = begin();
  const broken = new Error("broken pipe");
  output.write.mockImplementation(() => {
    throw broken;
  });
  handler.onBytes([frame("a")]);
  expect(report).toHaveBeenCalledExactlyOnceWith(failures.internal, broken);
  expect(output.end).toHaveBeenCalledOnce();
  expect(stream.abort).toHaveBeenCalledOnce();
});
