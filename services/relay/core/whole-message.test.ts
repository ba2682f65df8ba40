import { relayProfiles } from "@agent-backends/contract";
import { expect, test } from "vitest";
import type { Event } from "../conformance/support/transcode.ts";
import { delta, stream, transcode } from "../conformance/support/transcode.ts";

const message = (fields: object) => ({ choices: [{ index: 0, message: { role: "assistant", ...fields } }] });
const f = (args: string) => ({ tool_calls: [{ index: 0, id: "a", function: { name: "f", arguments: args } }] });
const joined = (events: Event[], type: string) =>
  events.flatMap((event) => (event.type === type ? event.delta : [])).join("");

test.each<[string, object[], [text: string, reasoning: string, args: string]]>([
  [
    "after the deltas of its text",
    [delta({ content: "Hel" }), delta({ content: "lo" }), message({ content: "Hello" })],
    ["Hello", "", ""],
  ],
  [
    "after deltas of its reasoning",
    [delta({ reasoning_content: "Hm" }), message({ content: "Hm", reasoning_content: "Hm" })],
    ["Hm", "Hm", ""],
  ],
  [
    "after deltas of a call",
    [delta(f("{")), delta({ tool_calls: [{ index: 0, function: { arguments: "}" } }] }), message(f("{}"))],
    ["", "", "{}"],
  ],
  [
    "after an empty delta",
    [delta({ role: "assistant", content: "" }), message({ content: "Hello" })],
    ["Hello", "", ""],
  ],
  ["in place of deltas", [message({ content: "Hello" })], ["Hello", "", ""]],
  ["for each piece", [message({ content: "ha" }), message({ content: "ha" })], ["haha", "", ""]],
])("content of a message %s comes once", (_when, chunks, [text, reasoning, args]) => {
  for (const profile of relayProfiles) {
    const events = transcode(stream(...chunks), profile);
    expect(joined(events, "TEXT_MESSAGE_CONTENT")).toBe(text);
    expect(joined(events, "TOOL_CALL_ARGS")).toBe(args);
    if (profile === "ag-ui") expect(joined(events, "REASONING_MESSAGE_CONTENT")).toBe(reasoning);
  }
});

test("deltas that are alike all come", () => {
  const events = transcode(stream(...["ha", "ha", "haha"].map((content) => delta({ content }))));
  expect(joined(events, "TEXT_MESSAGE_CONTENT")).toBe("hahahaha");
});
