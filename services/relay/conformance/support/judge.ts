import assert from "node:assert/strict";
import { verifyEvents } from "@ag-ui/client";
import { EventSchemas } from "@ag-ui/core/schemas";
import type { RelayProfile } from "@agent-backends/contract";
import * as client42 from "ag-ui-client-0.0.42";
import * as client59 from "ag-ui-client-0.0.59";
import { from } from "rxjs";

export type Event = { type: string } & Record<string, unknown>;

type Verifier = (events: never) => { subscribe(observer: { complete(): void; error(error: unknown): void }): unknown };

/** The official clients' checks: the shape of each event, and their order. */
const officialClient = { schemas: EventSchemas, verifier: verifyEvents() as Verifier };
const clients = {
  contract: [officialClient],
  "ag-ui": [officialClient],
  "ag-ui-0": [
    { schemas: client42.EventSchemas, verifier: client42.verifyEvents(false) as Verifier },
    { schemas: client59.EventSchemas, verifier: client59.verifyEvents() as Verifier },
  ],
};

/**
 * Checks a run's events with the official clients' schemas and order verifiers. The contract profile has no event for the end of a
 * tool call, which the verifiers require, so it is inserted at the latest possible place.
 *
 * @throws AssertionError or the verifier's error if an event or the order is wrong
 */
export async function judge(events: Event[], profile: RelayProfile): Promise<void> {
  const whole = profile === "contract" ? withToolCallEnds(events) : events;
  for (const { schemas, verifier } of clients[profile]) {
    // Schemas drop unknown fields, so a difference is an unknown field.
    for (const event of events) assert.deepEqual(schemas.parse(event), event);
    await new Promise<void>((complete, error) => {
      // Each client has its own copy of rxjs, with incompatible types.
      verifier(from(whole) as never).subscribe({ complete, error });
    });
  }
  const types = events.map(({ type }) => type);
  assert.equal(types[0], "RUN_STARTED");
  assert.match(types.at(-1) ?? "", /^RUN_(FINISHED|ERROR)$/);
  assert.equal(types.filter((type) => /^RUN_(FINISHED|ERROR)$/.test(type)).length, 1);
  assert.ok(events.every(({ delta }) => delta !== ""));
  if (profile === "contract") assert.ok(types.filter((type) => type === "TEXT_MESSAGE_START").length < 2);
  else expectClosed(events);
}

/** Everything that was opened must be closed before the run ends, even if it fails. */
function expectClosed(events: Event[]): void {
  const open = new Set<string>();
  for (const { type, messageId, toolCallId } of events) {
    const [, thing, end] = /^(.*)_(START|END)$/.exec(type) ?? [];
    if (end === "START") open.add(`${thing} ${messageId ?? toolCallId}`);
    if (end === "END") open.delete(`${thing} ${messageId ?? toolCallId}`);
    if (type === "TOOL_CALL_START") {
      open.delete(`TOOL_CALL ${messageId}`);
      open.add(`TOOL_CALL ${toolCallId}`);
    }
  }
  assert.deepEqual([...open], []);
}

function withToolCallEnds(events: Event[]): Event[] {
  const open = new Set<unknown>();
  return events.flatMap((event) => {
    const { type, toolCallId } = event;
    const ending =
      type === "RUN_FINISHED" ? [...open] : type === "TOOL_CALL_START" && open.has(toolCallId) ? [toolCallId] : [];
    for (const id of ending) open.delete(id);
    if (type === "TOOL_CALL_START") open.add(toolCallId);
    return [...ending.map((id) => ({ type: "TOOL_CALL_END", toolCallId: id })), event];
  });
}
