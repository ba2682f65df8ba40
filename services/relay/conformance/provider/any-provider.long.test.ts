import type { RelayProfile } from "@agent-backends/contract";
import { relayProfiles } from "@agent-backends/contract";
import { EventBuffer } from "@agent-backends/kit/runs";
import { answer, parseSseEvents } from "@agent-backends/testing";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { toStreamErrorFailure } from "../../core/failures.ts";
import { Transcoder } from "../../core/transcoder.ts";
import { describeBoth } from "../support/harness.ts";
import type { Event } from "../support/judge.ts";
import { judge } from "../support/judge.ts";
import { providerScript } from "../support/provider-scripts.ts";

function transcode(pieces: readonly Buffer[], name: RelayProfile): Event[] {
  const events = new EventBuffer();
  let ids = 0;
  const newId = () => `id-${++ids}`;
  const transcoder = new Transcoder({
    profile: name,
    identity: { threadId: "t", runId: "r", messageId: "m" },
    model: { origin: "o", vendor: undefined },
    events,
    toolNames: [],
    newId,
    describeError: (error) => toStreamErrorFailure(error, []),
    frames: { recognised: 0, parsed: 0 },
  });
  transcoder.start();
  for (const piece of pieces) transcoder.push(piece);
  transcoder.end();
  return parseSseEvents<Event>(events.take().toString("utf8"));
}

describe.each(relayProfiles)("whatever a provider sends, in the profile %s", (profile) => {
  test("the events are valid, in order, and the same in any pieces", async () => {
    await fc.assert(
      fc.asyncProperty(providerScript, async ({ bytes, pieces }) => {
        const events = transcode(pieces, profile);
        await judge(events, profile);
        expect(transcode([bytes], profile)).toEqual(events);
        if (events.at(-1)?.type === "RUN_FINISHED") {
          expect(bytes.toString()).toMatch(/\[DONE\]|"finish_reason":\s*"\w/);
        }
      }),
      { numRuns: 300 },
    );
  });
});

describeBoth("whatever a provider sends", (bench) => {
  test.each(relayProfiles)("the %s events that arrive are valid and in order", async (profile) => {
    await fc.assert(
      fc.asyncProperty(providerScript, fc.constantFrom("end", "cut"), async ({ pieces }, end) => {
        bench.provider.script(answer.bytes(pieces, { end }));
        await judge(await bench.run({}, profile), profile);
      }),
      { numRuns: 40 },
    );
  });
});
