import type { Message } from "@ag-ui/client";
import { HttpAgent } from "@ag-ui/client";
import type { RelayProfile } from "@agent-backends/contract";
import { relayProfiles } from "@agent-backends/contract";
import { answer } from "@agent-backends/testing";
import { expect, test } from "vitest";
import { toProviderPart } from "../core/request/content-parts.ts";
import type { Bench } from "./support/harness.ts";
import { describeBoth } from "./support/harness.ts";

const data = (mimeType: string, value = "AAAA") => ({ type: "data", value, mimeType });
const url = (value: string) => ({ type: "url", value });
const base64 = (text: string) => Buffer.from(text).toString("base64");

/** Parts that chat completions can express. */
const forwarded: [part: Record<string, unknown>, sent: object][] = [
  [
    { type: "text", text: "What is it?" },
    { type: "text", text: "What is it?" },
  ],
  [
    { type: "image", source: url("https://example.com/a.png") },
    { type: "image_url", image_url: { url: "https://example.com/a.png" } },
  ],
  [
    { type: "image", source: data("image/jpeg") },
    { type: "image_url", image_url: { url: "data:image/jpeg;base64,AAAA" } },
  ],
  [
    { type: "audio", source: data("audio/wav") },
    { type: "input_audio", input_audio: { data: "AAAA", format: "wav" } },
  ],
  [
    { type: "audio", source: data("audio/mpeg") },
    { type: "input_audio", input_audio: { data: "AAAA", format: "mp3" } },
  ],
  [
    { type: "document", source: data("application/pdf"), metadata: { filename: "a.pdf" } },
    { type: "file", file: { filename: "a.pdf", file_data: "data:application/pdf;base64,AAAA" } },
  ],
  [
    { type: "document", source: data("application/pdf") },
    { type: "file", file: { filename: "document.pdf", file_data: "data:application/pdf;base64,AAAA" } },
  ],
  [
    { type: "document", source: data("text/csv", base64("a,é")) },
    { type: "text", text: "a,é" },
  ],
  [
    { type: "document", source: { type: "file", value: "file-1" } },
    { type: "file", file: { file_id: "file-1" } },
  ],
  // AG-UI 0.0.x
  [
    { type: "binary", mimeType: "image/png", url: "https://example.com/b.png" },
    { type: "image_url", image_url: { url: "https://example.com/b.png" } },
  ],
  [
    { type: "binary", mimeType: "audio/wav", data: "AAAA" },
    { type: "input_audio", input_audio: { data: "AAAA", format: "wav" } },
  ],
  [
    { type: "binary", mimeType: "application/pdf", data: "AAAA", filename: "b.pdf" },
    { type: "file", file: { filename: "b.pdf", file_data: "data:application/pdf;base64,AAAA" } },
  ],
  [
    { type: "binary", mimeType: "application/pdf", id: "file-2" },
    { type: "file", file: { file_id: "file-2" } },
  ],
];

/** Parts that they can't. */
const dropped: [part: Record<string, unknown>, named: string][] = [
  [{ type: "video", source: url("https://example.com/a.mp4") }, "a video by url"],
  [{ type: "video", source: data("video/mp4") }, "a video by data of type video/mp4"],
  [{ type: "audio", source: data("audio/ogg") }, "an audio by data of type audio/ogg"],
  [{ type: "audio", source: url("https://example.com/a.wav") }, "an audio by url"],
  [{ type: "video", source: { type: "file", value: "file-4" } }, "a video by file"],
  [{ type: "audio", source: { type: "file", value: "file-5" } }, "an audio by file"],
  [{ type: "document", source: url("https://example.com/a.pdf") }, "a document by url"],
  [{ type: "image", source: { type: "file", value: "file-3" } }, "an image by file"],
  [{ type: "image", source: { type: "hologram", value: "x" } }, "an image by hologram"],
  [{ type: "smell", source: url("https://example.com/a") }, "a smell by url"],
  [{ type: "poll", options: ["a"] }, 'a part of type "poll"'],
  [
    { type: "image_url", image_url: { url: "https://example.com/a.png" } },
    'a part of type "image_url", in place of "image" with its "source",',
  ],
  [{ type: "binary", mimeType: "video/mp4", url: "https://example.com/a.mp4" }, "a video by url of type video/mp4"],
];

const sentMessages = (bench: Bench, request = -1) => bench.provider.chatRequests.at(request)?.body.messages as object[];
const listWarnings = (bench: Bench) => bench.relay.log.flatMap(({ warnings }) => (warnings as object[]) ?? []);
const user = (content: unknown) => ({ id: "m", role: "user", content });
const warningEvents = (events: { type: string }[]) =>
  events.flatMap((event) =>
    "name" in event && event.name === "agent-backends.warning" ? [(event as unknown as { value: object }).value] : [],
  );

describeBoth("content parts", (bench) => {
  test.each(relayProfiles)("reach the model as chat completions express them, in the profile %s", async (profile) => {
    await bench.run({ messages: [user(forwarded.map(([part]) => part))] }, profile);
    expect(sentMessages(bench)).toEqual([{ role: "user", content: forwarded.map(([, sent]) => sent) }]);
    expect(listWarnings(bench)).toEqual([]);
  });

  test("of a text file stand apart from the question about it", async () => {
    const file = { type: "document", source: data("text/csv", base64("n,1")) };
    await bench.run({ messages: [user([{ type: "text", text: "Which n?" }, file])] });
    expect(sentMessages(bench)).toEqual([{ role: "user", content: "Which n?\n\nn,1" }]);
  });

  test.each(relayProfiles)(
    "that can't be expressed are named, and the run goes on, in the profile %s",
    async (profile) => {
      const content = [
        { type: "text", text: "What " },
        ...dropped.map(([part]) => part),
        { type: "text", text: "is it?" },
      ];
      const events = await bench.run({ messages: [user(content)] }, profile);
      expect(sentMessages(bench)).toEqual([{ role: "user", content: "What is it?" }]);
      const warnings = dropped.map(([, named], index) => ({
        code: "part_dropped",
        pointer: `/messages/0/content/${index + 1}`,
        detail: `${named} can't be sent to the model`,
      }));
      expect(listWarnings(bench)).toEqual(warnings);
      expect(warningEvents(events)).toEqual(profile === "ag-ui" ? warnings : []);
      expect(events.at(-1)?.type).toBe("RUN_FINISHED");
    },
  );

  test("by a file of another provider are not sent to this one", () => {
    const file = (provider?: string) =>
      toProviderPart(
        { type: "document", text: undefined, source: { type: "file", value: "file-1", provider, mimeType: undefined } },
        "google",
      );
    expect([file("openai"), file("google"), file()]).toEqual([
      undefined,
      ...Array(2).fill({ type: "file", file: { file_id: "file-1" } }),
    ]);
  });

  test.each(relayProfiles)("in a tool's result follow the results, in the profile %s", async (profile) => {
    const calls = ["c1", "c2"].map((id) => ({ id, type: "function", function: { name: "f", arguments: "{}" } }));
    const image = { type: "image", source: data("image/png") };
    const video = { type: "video", source: data("video/mp4") };
    const events = await bench.run(
      {
        messages: [
          { id: "s", role: "system", content: [{ type: "text", text: "Be brief." }, image] },
          user("Look."),
          { id: "a", role: "assistant", toolCalls: calls },
          {
            id: "t1",
            role: "tool",
            toolCallId: "c1",
            content: [{ type: "text", text: "A screenshot." }, image, video],
          },
          { id: "t2", role: "tool", toolCallId: "c2", content: [image], error: "It timed out." },
        ],
      },
      profile,
    );
    const sentImage = { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } };
    expect(sentMessages(bench)[0]).toEqual({ role: "system", content: "Be brief." });
    expect(sentMessages(bench).slice(3)).toEqual([
      { role: "tool", tool_call_id: "c1", content: "A screenshot." },
      { role: "tool", tool_call_id: "c2", content: "Error: It timed out." },
      { role: "user", content: [{ type: "text", text: "Files from the tool results above:" }, sentImage, sentImage] },
    ]);
    const warnings = ["/messages/0/content/1", "/messages/3/content/2"].map((pointer) => ({ pointer }));
    expect(listWarnings(bench)).toMatchObject(warnings);
    expect(warningEvents(events)).toMatchObject(profile === "ag-ui" ? warnings : []);
  });

  test("that the provider refuses are left out, the run goes on, and the next one tries again", async () => {
    const refusal = answer.error(404, "No endpoints found that support image input");
    bench.provider.script((request) =>
      JSON.stringify(request.body).includes("image_url") ? refusal : answer.text("Sunny."),
    );
    const messages = [
      user([
        { type: "text", text: "What is it?" },
        { type: "image", source: data("image/png") },
      ]),
    ];
    for (const profile of ["ag-ui", "contract"] satisfies RelayProfile[]) {
      const events = await bench.run({ messages }, profile);
      expect(events.at(-1)?.type).toBe("RUN_FINISHED");
      expect(sentMessages(bench)).toEqual([{ role: "user", content: "What is it?" }]);
      expect(warningEvents(events)).toMatchObject(profile === "ag-ui" ? [{ code: "media_refused" }] : []);
    }
    expect(bench.provider.chatRequests).toHaveLength(4);
    expect(listWarnings(bench)).toMatchObject([{ code: "media_refused" }, { code: "media_refused" }]);
  });

  test.each([
    [{ type: "image" }, "/source"],
    [{ type: "video", source: { type: "url" } }, "/source"],
    [{ type: "audio", source: "https://example.com" }, "/source"],
    [{ type: "text" }, "/text"],
  ])("that are malformed are refused: %j", async (part, pointer) => {
    const agent = new HttpAgent({ url: `${bench.relay.url}/agent` });
    const response = await fetch(agent.url, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ threadId: "t", runId: "r", messages: [user([part])] }),
    });
    expect(await response.json()).toMatchObject({
      status: 422,
      errors: [{ pointer: `/messages/0/content/0${pointer}` }],
    });
  });
});

describeBoth("the official client's run input", (bench) => {
  const run = async (messages: unknown[], input: object = {}) => {
    const agent = new HttpAgent({ url: `${bench.relay.url}/agent`, initialMessages: messages as Message[] });
    const events: { type: string }[] = [];
    await agent.runAgent(input, { onEvent: ({ event }) => void events.push(event) });
    return events;
  };

  test("has its names and a tool's error seen by the model", async () => {
    const calls = [{ id: "c", type: "function", function: { name: "f", arguments: "{}" } }];
    const events = await run([
      { id: "1", role: "system", content: "Be brief.", name: "app" },
      { id: "2", role: "user", content: "Look.", name: "ada" },
      { id: "3", role: "assistant", toolCalls: calls, name: "helper" },
      { id: "4", role: "tool", toolCallId: "c", content: "Half of it.", error: "It timed out." },
      { id: "5", role: "user", content: "And?", name: "Ada Lovelace" },
    ]);
    expect(sentMessages(bench)).toMatchObject([
      { role: "system", name: "app" },
      { role: "user", name: "ada" },
      { role: "assistant", name: "helper" },
      { role: "tool", content: "Half of it.\n\nError: It timed out." },
      { role: "user", content: "And?" },
    ]);
    expect(warningEvents(events)).toMatchObject([{ code: "name_dropped", pointer: "/messages/4/name" }]);
  });

  test("may hold messages of unknown roles, which are left out and named", async () => {
    const response = await bench.run({
      protocolVersion: "1.7",
      messages: [
        user("Hi"),
        { id: "2", role: "narrator", content: "Meanwhile" },
        // AG-UI 1.1 adds the type of an encrypted value.
        { id: "3", role: "user", content: "And?", encryptedValueType: "other.signature" },
      ],
    });
    expect(sentMessages(bench)).toEqual([
      { role: "user", content: "Hi" },
      { role: "user", content: "And?" },
    ]);
    expect(warningEvents(response)).toMatchObject([{ code: "role_unknown", pointer: "/messages/1" }]);
    expect(listWarnings(bench)).toMatchObject([{ code: "role_unknown" }]);
    expect(response.at(-1)?.type).toBe("RUN_FINISHED");
  });

  test("may resume what was never interrupted, and is told so", async () => {
    const events = await run([user("Hi")], { resume: [{ interruptId: "i", status: "resolved", payload: 7 }] });
    expect(warningEvents(events)).toMatchObject([{ code: "resume_ignored", pointer: "/resume" }]);
    expect(listWarnings(bench)).toMatchObject([{ code: "resume_ignored" }]);
  });

  test("has its parent run named again", async () => {
    const events = await bench.run({ protocolVersion: "1.0", parentRunId: "parent-1" });
    expect(events[0]).toMatchObject({ type: "RUN_STARTED", parentRunId: "parent-1" });
    expect((await bench.run({ parentRunId: "parent-1" }))[0]).not.toHaveProperty("parentRunId");
  });

  test("of many wrong parts gets a limited number of warnings", async () => {
    const content = Array.from({ length: 50 }, () => ({ type: "video", source: url("https://example.com/a.mp4") }));
    expect(warningEvents(await run([user(content)]))).toHaveLength(20);
  });
});
