import { relayProfiles } from "@agent-backends/contract";
import type { EndpointRequest } from "@agent-backends/llm";
import { answer } from "@agent-backends/testing";
import { expect, test } from "vitest";
import { describeBoth } from "../support/harness.ts";
import type { Event } from "../support/judge.ts";
import { judge } from "../support/judge.ts";

const delta = (fields: object, finish_reason?: string) =>
  `data: ${JSON.stringify({ choices: [{ delta: fields, finish_reason }] })}\n\n`;
const finish = delta({}, "tool_calls");
const stream = Buffer.from(
  [
    delta({ reasoning: "hm" }),
    delta({ content: "ü🎉" }),
    delta({ tool_calls: [{ index: 0, id: "a", function: { name: "f", arguments: "{}" } }] }),
    finish,
  ].join(""),
);
// The last event counts from its closing brace on, because providers forget the empty line.
const finished = stream.indexOf(finish) + finish.trimEnd().length;
const runsAtATime = 16;

const findOffset = ({ body }: EndpointRequest) =>
  Number((body as { messages: { content: string }[] }).messages.at(-1)?.content);
const said = (events: Event[], type: string) =>
  events.map((event) => (event.type === type ? event.delta : "")).join("");

// Both implementations read the provider's stream with the same code, so only one is cut at every byte.
const steps = { express: 1, nest: 20 };

describeBoth("a provider's stream that is cut", (bench, name) => {
  // The end of the stream counts at every byte for both.
  const offsets = Array.from({ length: stream.length + 1 }, (_, offset) => offset).filter(
    (offset) => offset % steps[name] === 0 || offset >= finished - 1,
  );

  test.each(relayProfiles)("anywhere fails in the profile %s, but after its end", async (profile) => {
    bench.provider.script((request) => answer.bytes([stream.subarray(0, findOffset(request))], { end: "cut" }));
    const left = offsets.values();
    const worker = async () => {
      for (const offset of left) {
        const messages = [{ id: "1", role: "user", content: String(offset) }];
        const events = await bench.run({ messages }, profile);
        await judge(events, profile);
        const last = offset < finished ? "RUN_ERROR" : "RUN_FINISHED";
        expect([offset, events.at(-1)?.type]).toEqual([offset, last]);
        expect("ü🎉".startsWith(said(events, "TEXT_MESSAGE_CONTENT"))).toBe(true);
        expect("{}".startsWith(said(events, "TOOL_CALL_ARGS"))).toBe(true);
        if (offset < finished) expect(events.at(-1)?.message).toMatch(/broke off|could not be reached/);
      }
    };
    await Promise.all(Array.from({ length: runsAtATime }, worker));
  });
});
