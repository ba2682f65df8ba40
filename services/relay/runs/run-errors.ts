import type { RelayProfile } from "@agent-backends/contract";
import { failures } from "../core/failures.ts";

type Event = { type: string; messageId?: string; toolCallId?: string };

/** The last event that a reader gets when its run can't be read to the end. */
export function buildRunError(profile: RelayProfile, { code, message }: { code: string; message: string }): object {
  return profile === "contract" ? { type: "RUN_ERROR", message } : { type: "RUN_ERROR", message, code };
}

/** The events that end a run whose replica is dead, after what it stored. AG-UI closes all that is open before the error. */
export function brokenOffEvents(
  stored: Buffer,
  storedLastId: number,
  profile: RelayProfile,
): { bytes: Buffer; lastId: number } {
  const events = profile === "contract" ? [] : closingEvents(parseEvents(stored));
  events.push(buildRunError(profile, failures.brokenOff));
  const text = events.map((event, index) => `id: ${storedLastId + index + 1}\ndata: ${JSON.stringify(event)}\n\n`);
  return { bytes: Buffer.from(text.join("")), lastId: storedLastId + events.length };
}

function parseEvents(stored: Buffer): Event[] {
  const lines = stored.toString().split("\n");
  return lines.filter((line) => line.startsWith("data: ")).map((line) => JSON.parse(line.slice("data: ".length)));
}

/** An END for each START, except the run's own, the latest first. */
function closingEvents(events: readonly Event[]): object[] {
  const open = new Map<string, object>();
  for (const { type, messageId, toolCallId } of events) {
    const [, thing = "", edge] = /^(?!RUN_)(.+)_(START|END)$/.exec(type) ?? [];
    const name = `${thing} ${toolCallId ?? messageId}`;
    if (edge === "START") {
      const id = toolCallId === undefined ? { messageId } : { toolCallId };
      open.set(name, { type: `${thing}_END`, ...id });
    } else if (edge === "END") {
      open.delete(name);
    }
  }
  return [...open.values()].reverse();
}
