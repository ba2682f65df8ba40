import { HttpAgent } from "@ag-ui/client";
import { EventType } from "@ag-ui/core";
import { agUiEventUses } from "@agent-backends/contract";
import { answer } from "@agent-backends/testing";
import { expect, test } from "vitest";
import { describeBoth } from "./support/harness.ts";

const delta = (fields: object, finish_reason: string | null = null) => ({
  choices: [{ index: 0, delta: fields, finish_reason }],
});

test("the documentation lists each event of AG-UI once", () => {
  const { sent, neverSent } = agUiEventUses;
  expect([...Object.keys(sent), ...Object.keys(neverSent)].sort()).toEqual(Object.values(EventType).sort());
});

describeBoth("the events of AG-UI", (bench) => {
  test("are all sent that the documentation says are sent, and no others", async () => {
    const call = { index: 0, id: "c", function: { name: "f", arguments: "{}" }, extra_content: { google: {} } };
    bench.provider.script([
      answer.chunks([
        delta({ reasoning: "hm" }),
        delta({ content: "Hi" }),
        delta({ tool_calls: [call] }),
        delta({}, "stop"),
      ]),
      answer.cutAfter("Hi"),
    ]);
    const seen = new Set<string>();
    for (let run = 0; run < 2; run += 1) {
      const video = { type: "video" as const, source: { type: "url" as const, value: "https://example.com/a.mp4" } };
      const agent = new HttpAgent({
        url: `${bench.relay.url}/agent`,
        initialMessages: [{ id: "1", role: "user", content: [video] }],
      });
      await agent.runAgent({}, { onEvent: ({ event }) => void seen.add(event.type) });
    }
    expect([...seen].sort()).toEqual(Object.keys(agUiEventUses.sent).sort());
  });

  test.each([
    ["1.0", "1.0"],
    ["1.1", "1.1"],
    ["1.10", "1.1"],
    ["2.0", "1.1"],
    ["newest", "1.0"],
  ])("are those of the client's version, or of the relay's if that is older: %s", async (protocolVersion, told) => {
    expect((await bench.run({ protocolVersion }))[0]).toMatchObject({ type: "RUN_STARTED", protocolVersion: told });
  });
});
