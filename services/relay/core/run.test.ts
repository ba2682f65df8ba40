import type { RelayProfile } from "@agent-backends/contract";
import { runInputSchema } from "@agent-backends/contract";
import { EventBuffer } from "@agent-backends/kit/runs";
import type { StreamHandler } from "@agent-backends/llm";
import { ProviderError } from "@agent-backends/llm";
import { expect, test, vi } from "vitest";
import { failures, toInternalFailure, toStreamErrorFailure } from "./failures.ts";
import { Run } from "./run.ts";
import { Transcoder } from "./transcoder.ts";

const input = runInputSchema.parse({ threadId: "t", runId: "r", messages: [{ id: "1", role: "user", content: "Hi" }] });
const frame = (content: string) => Buffer.from(`data: {"choices":[{"delta":{"content":"${content}"}}]}\n\n`);
const done = Buffer.from("data: [DONE]\n\n");

function begin(profile: RelayProfile = "contract") {
  const writes: string[] = [];
  const take = (events: EventBuffer) => events.isEmpty || writes.push(events.take().toString("utf8")) > 0;
  const output = { requestId: "request-1", write: vi.fn(take), end: vi.fn(take), abort: vi.fn(), answeredBy: vi.fn() };
  const age = { restart: vi.fn(), stop: vi.fn(), end: () => {} };
  const stream = { pause: vi.fn(), resume: vi.fn(), abort: vi.fn(), release: vi.fn() };
  const onFailure = vi.fn();
  let handler: StreamHandler | undefined;
  const events = new EventBuffer();
  const run = new Run(input, profile, output, {
    model: "m",
    identity: { origin: "o", vendor: undefined },
    onWarnings: () => undefined,
    onAnswerWarnings: () => undefined,
    events,
    createTranscoder: ({ threadId, runId }) =>
      new Transcoder({
        profile,
        identity: { threadId, runId, messageId: "id" },
        model: { origin: "o", vendor: undefined },
        events,
        toolNames: [],
        newId: () => "id",
        describeError: (error) => toStreamErrorFailure(error, []),
        frames: { recognised: 0, parsed: 0 },
        maxTokens: 3,
      }),
    onFailure,
    onSuccess: () => undefined,
    watchDuration(onTimeout) {
      age.end = onTimeout;
      return age;
    },
    provider: {
      hasFallbacks: false,
      openCompletion(_request, given) {
        handler = given;
        return stream;
      },
    },
  });
  run.start(input, { profile });
  if (!handler) throw new Error("The provider was not asked.");
  const { onBytes, onReadEnd } = handler;
  const read = (...slices: Buffer[]) => {
    for (const bytes of slices) onBytes.call(handler, bytes, 0, bytes.length);
    onReadEnd.call(handler);
  };
  return { writes, output, stream, onFailure, handler, run, read, age };
}

test("RUN_STARTED is written before the provider says anything", () => {
  expect(begin().writes).toEqual(['data: {"type":"RUN_STARTED","threadId":"t","runId":"r"}\n\n']);
});

test("all events of one read are written at once", () => {
  const { writes, read } = begin();
  read(frame("a"), frame("b"), frame("c"));
  expect(writes).toHaveLength(2);
  expect(writes[1]?.match(/TEXT_MESSAGE_CONTENT/g)).toHaveLength(3);
});

test("bytes that give no event write nothing", () => {
  const { writes, read } = begin();
  read(Buffer.from(": still thinking\n\n"));
  expect(writes).toHaveLength(1);
});

test("a full output pauses the provider until it has drained", () => {
  const { output, stream, read, run } = begin();
  output.write.mockReturnValueOnce(false);
  read(frame("a"));
  expect(stream.pause).toHaveBeenCalledOnce();
  run.resume();
  expect(stream.resume).toHaveBeenCalledOnce();
});

test("a finished run leaves the connection for the next, a failed one aborts its request", () => {
  const finished = begin();
  finished.read(frame("a"), done, frame("late"));
  expect(finished.stream.release).toHaveBeenCalledOnce();
  expect(finished.stream.abort).not.toHaveBeenCalled();
  expect(finished.output.end).toHaveBeenCalledOnce();
  expect(finished.onFailure).not.toHaveBeenCalled();
  // Its output closes once everything has been written.
  finished.run.abandon();
  expect(finished.stream.abort).not.toHaveBeenCalled();

  const failed = begin();
  const error = new ProviderError("cut", "It broke off.");
  failed.handler.onFailure(error);
  expect(failed.stream.abort).toHaveBeenCalledOnce();
  expect(failed.output.end).toHaveBeenCalledOnce();
  const failure = { code: "provider_cut", message: "It broke off.", providerErrorKind: "cut", cause: error };
  expect(failed.onFailure).toHaveBeenCalledExactlyOnceWith(failure, "request-1", undefined);
});

test("nothing is written for a client that has disconnected", () => {
  const { writes, output, stream, read, run } = begin();
  run.abandon();
  read(frame("a"), done);
  run.fail(failures.shuttingDown);
  expect(stream.abort).toHaveBeenCalledOnce();
  expect(writes).toHaveLength(1);
  expect(output.end).not.toHaveBeenCalled();
});

test.each(["finished", "failed", "abandoned", "too old"])(
  "the age of a run that is %s is not watched any more",
  (how) => {
    const { run, read, age, handler, stream } = begin();
    if (how === "finished") read(frame("a"), done);
    if (how === "failed") handler.onFailure(new ProviderError("cut", "It broke off."));
    if (how === "abandoned") run.abandon();
    if (how === "too old") age.end();
    expect(age.stop).toHaveBeenCalled();
    expect(stream.abort).toHaveBeenCalledTimes(how === "finished" ? 0 : 1);
  },
);

test("an output that throws ends the run, and is reported", () => {
  const { output, read, onFailure, stream } = begin();
  const broken = new Error("broken pipe");
  output.write.mockImplementation(() => {
    throw broken;
  });
  read(frame("a"));
  expect(onFailure).toHaveBeenCalledExactlyOnceWith(toInternalFailure(broken), "request-1", undefined);
  expect(output.abort).toHaveBeenCalledOnce();
  expect(stream.abort).toHaveBeenCalledOnce();
});
