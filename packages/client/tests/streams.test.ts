import {
  InvalidResponseError,
  KnowledgeClient,
  ListingClient,
  RelayClient,
  RunError,
  TruncatedStreamError,
} from "@agent-backends/client";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { collect, json, problem, ScriptedService, stream } from "./scripted-service.ts";

const messages = [{ role: "user" as const, content: "Hello" }];
const ids = { thread_id: "t", run_id: "r" };
const delta = { type: "text_delta", content: "é😀\u2028", message_id: "m", ...ids };
const done = { type: "done", ...ids };
const failure = { type: "error", message: "The provider failed.", message_id: "m", ...ids };

const answer = (service: ScriptedService) => new KnowledgeClient(service.options).stream({ messages, ...ids });
const ndjson = (...pieces: (string | Uint8Array)[]) => stream("application/x-ndjson; charset=utf-8", pieces);
const lines = (...events: object[]) => events.map((event) => `${JSON.stringify(event)}\n`).join("");
const sse = (...pieces: (string | Uint8Array)[]) => stream("text/event-stream", pieces);
const frames = (...events: object[]) => events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");

/** Bytes cut at any places, also within characters. */
const cutAnywhere = (text: string) => {
  const bytes = new TextEncoder().encode(text);
  return fc
    .array(fc.nat(bytes.length), { maxLength: 12 })
    .map((places) => [0, ...places.sort((a, b) => a - b), bytes.length])
    .map((places) => places.slice(1).map((end, index) => bytes.subarray(places[index], end)));
};

describe("events", () => {
  test.each([
    ["NDJSON", "application/x-ndjson", `\n${lines(delta, done)}`],
    [
      "NDJSON with CRLF and without a final line break",
      "application/x-ndjson",
      `${JSON.stringify(delta)}\r\n\r\n${JSON.stringify(done)}`,
    ],
    ["SSE", "text/event-stream", `: keep-alive\n\n${frames(delta, done)}`],
    [
      "SSE with CRLF and other fields",
      "text/event-stream",
      `\uFEFFevent: x\r\nretry: 1\r\n${frames(delta, done).replaceAll("\n", "\r\n")}`,
    ],
    [
      "SSE with CR and without spaces",
      "text/event-stream",
      frames(delta, done).replaceAll("data: ", "data:").replaceAll("\n", "\r"),
    ],
    [
      "SSE in several data lines",
      "text/event-stream",
      frames(delta, done).replaceAll(',"message_id', ',\ndata: "message_id'),
    ],
  ])("are read from %s, wherever the bytes are cut", async (_, type, text) => {
    await fc.assert(
      fc.asyncProperty(cutAnywhere(text), async (pieces) => {
        expect(await collect(answer(new ScriptedService(stream(type, pieces))))).toEqual([delta, done]);
      }),
      { numRuns: 30 },
    );
  });

  test("of a connection that is silent for too long end with an error, and a kept run goes on with its next event", async () => {
    const silent = (text: string) => {
      const body = new ReadableStream({ start: (controller) => controller.enqueue(new TextEncoder().encode(text)) });
      return new Response(body, { headers: { "content-type": "text/event-stream" } });
    };
    const service = new ScriptedService(silent(": keep-alive\n\n"));
    const client = new KnowledgeClient({ ...service.options, silenceTimeoutMs: 20 });
    await expect(collect(client.stream({ messages }))).rejects.toThrow(TruncatedStreamError);
    const [started, finished] = [{ type: "RUN_STARTED" }, { type: "RUN_FINISHED" }];
    const relay = new ScriptedService(
      silent(`id: 1\n${frames(started)}: keep-alive\n\n`),
      sse(`id: 2\n${frames(finished)}`),
    );
    const input = { threadId: "t", runId: "r", messages: [{ id: "1", role: "user" as const, content: "Hello" }] };
    const run = new RelayClient({ ...relay.options, silenceTimeoutMs: 20 }).stream(input, { profile: "ag-ui" });
    expect(await collect(run)).toEqual([started, finished]);
    expect(relay.requests[1]?.url).toContain("runId=r&offset=1");
  });

  test("end with the last one, although the connection stays open, and heartbeats only reach onFrame", async () => {
    const body = new ReadableStream({
      start: (controller) => controller.enqueue(new TextEncoder().encode(`\n${lines(delta, done)}`)),
    });
    const service = new ScriptedService(new Response(body, { headers: { "content-type": "application/x-ndjson" } }));
    const kinds: string[] = [];
    const client = new KnowledgeClient(service.options);
    await collect(client.stream({ messages }, { onFrame: ({ kind }) => kinds.push(kind) }));
    expect(kinds).toEqual(["heartbeat", "data", "data"]);
    expect(JSON.parse(service.requests[0]?.body ?? "")).toEqual({
      messages,
      thread_id: expect.stringMatching(/^[0-9a-f]{32}$/),
      run_id: expect.stringMatching(/^[0-9a-f]{32}$/),
    });
  });

  test("of an error are yielded, then thrown", async () => {
    const seen: string[] = [];
    const events = answer(new ScriptedService(ndjson(lines(delta, failure))));
    const reading = (async () => {
      for await (const { type } of events) seen.push(type);
    })();
    await expect(reading).rejects.toThrow(new RunError("The provider failed."));
    expect(seen).toEqual(["text_delta", "error"]);
  });

  test.each([
    ["the end", ndjson(lines(delta))],
    ["a cut line", ndjson(lines(delta), '{"type":"done","thr')],
    ["a cut event", sse(frames(delta), 'data: {"type":"done"}\n')],
    ["a broken connection", stream("application/x-ndjson", [lines(delta)], new TypeError("terminated"))],
  ])("that stop before the last one, by %s, are an error", async (_, response) => {
    await expect(collect(answer(new ScriptedService(response)))).rejects.toThrow(TruncatedStreamError);
  });

  test("that are no JSON objects or too long are an error", async () => {
    for (const line of ["[1]x\n", "null\n"]) {
      await expect(collect(answer(new ScriptedService(ndjson(line))))).rejects.toThrow(InvalidResponseError);
    }
    const service = new ScriptedService(ndjson("x".repeat(60), "x".repeat(60)));
    const client = new KnowledgeClient({ ...service.options, maxEventCharacters: 100 });
    await expect(collect(client.stream({ messages }))).rejects.toThrow(/more than 100 characters/);
  });

  test("stop with the caller, who cancels the response, and with the signal", async () => {
    let isCancelled = false;
    const endless = () =>
      new Response(
        new ReadableStream({
          pull: (controller) => controller.enqueue(new TextEncoder().encode(lines(delta))),
          cancel: () => {
            isCancelled = true;
          },
        }),
      );
    for await (const _ of answer(new ScriptedService(endless()))) break;
    expect(isCancelled).toBe(true);

    const controller = new AbortController();
    const client = new KnowledgeClient(new ScriptedService(stream("", [lines(delta)], new Error("aborted"))).options);
    const reading = collect(
      client.stream({ messages }, { signal: controller.signal, onFrame: () => controller.abort(new Error("enough")) }),
    );
    await expect(reading).rejects.toThrow("enough");
  });

  test("stop with the signal also when later events have arrived already", async () => {
    const controller = new AbortController();
    const client = new KnowledgeClient(new ScriptedService(ndjson(lines(delta, delta, delta, done))).options);
    const seen: unknown[] = [];
    const reading = async () => {
      for await (const event of client.stream({ messages }, { signal: controller.signal })) {
        seen.push(event);
        controller.abort(new Error("enough"));
      }
    };
    await expect(reading()).rejects.toThrow("enough");
    expect(seen).toHaveLength(1);
  });

  test("of the listing service end with its mark", async () => {
    const chunk = { type: "text_message_chunk", message_id: "m", role: "assistant", content: "Hi", ...ids };
    const run = (...pieces: string[]) =>
      collect(new ListingClient(new ScriptedService(sse(...pieces)).options).stream({ messages }));
    expect(await run(frames(chunk), "data: [DONE]\n\n")).toEqual([chunk]);
    await expect(run(frames(chunk))).rejects.toThrow(TruncatedStreamError);
    await expect(run(frames(chunk, failure), "data: [DONE]\n\n")).rejects.toThrow(RunError);
  });
});

describe("runs of the relay", () => {
  const started = { type: "RUN_STARTED", threadId: "t", runId: "r" };
  const text = (word: string) => ({ type: "TEXT_MESSAGE_CONTENT", messageId: "m", delta: word });
  const finished = { type: "RUN_FINISHED", threadId: "t", runId: "r" };
  const input = { threadId: "t", runId: "r/1", messages: [{ id: "1", role: "user" as const, content: "Hello" }] };
  const withIds = (first: number, ...events: object[]) =>
    events.map((event, index) => `id: ${first + index}\n${frames(event)}`).join("");

  test("are resumed after the last event, as often as they make progress", async () => {
    const service = new ScriptedService(
      sse(withIds(1, started, text("one"))),
      stream("text/event-stream", [withIds(3, text("two"))], new TypeError("terminated")),
      sse(withIds(4, text("three"))),
      problem(503, "unavailable"),
      sse(withIds(5, text("four"), finished)),
    );
    const events = await collect(new RelayClient(service.options).stream(input, { profile: "ag-ui" }));
    expect(events).toEqual([started, ...["one", "two", "three", "four"].map(text), finished]);
    const base = "https://agents.example/base/agent";
    expect(service.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      `POST ${base}?profile=ag-ui`,
      ...["2", "3", "4", "4"].map((id) => `GET ${base}?runId=r%2F1&offset=${id}`),
    ]);
  });

  test("that are not kept by the relay end with an error when the connection breaks", async () => {
    const service = new ScriptedService(sse(frames(started)));
    await expect(collect(new RelayClient(service.options).stream(input))).rejects.toThrow(TruncatedStreamError);
    expect(service.requests).toHaveLength(1);
  });

  test("that make no progress are given up", async () => {
    const service = new ScriptedService(sse(withIds(1, started)), sse(""), sse(""), sse(""));
    await expect(collect(new RelayClient(service.options).stream(input))).rejects.toThrow(TruncatedStreamError);
    expect(service.requests).toHaveLength(3);
  });

  test("can be read later and stopped; a failed one throws with its code", async () => {
    const service = new ScriptedService(
      sse(withIds(3, { type: "RUN_ERROR", message: "Stopped.", code: "stopped" })),
      new Response(null, { status: 204 }),
      new Response(null, { status: 204 }),
      problem(404, "not-found"),
      json({}),
    );
    const relay = new RelayClient(service.options);
    await expect(collect(relay.resume("r", { lastEventId: "2" }))).rejects.toMatchObject({ code: "stopped" });
    expect(await collect(relay.resume("r", { lastEventId: "3" }))).toEqual([]);
    expect([await relay.stop("r/1"), await relay.stop("r/1")]).toEqual([true, false]);
    expect(service.requests.slice(1, 3).map(({ method, url }) => `${method} ${new URL(url).pathname}`)).toEqual([
      "GET /base/agent",
      "DELETE /base/agent/runs/r%2F1",
    ]);
  });
});

test("the events of a job survive broken connections", async () => {
  const item = { type: "item", job_id: "j", item: 0, stage: "waiting", source: "text:0" };
  const job = { type: "job", job_id: "j", status: "done" };
  const service = new ScriptedService(sse(frames(item)), sse(frames(item, job)));
  expect(await collect(new KnowledgeClient(service.options).followJob("j"))).toEqual([item, item, job]);
});
