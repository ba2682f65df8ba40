import type { RelayProfile, RunErrorCode } from "@agent-backends/contract";
import { toOneLine } from "../streams/event-stream.ts";
import { SentEvents, StoredBatch } from "./stored-events.ts";

/** Why a run failed, in the form that clients see. */
export interface ShownFailure {
  /** One of `runErrorCodes`, of `problemTypes`, or the model provider's own code. */
  code: string;
  /** A sentence for the client. */
  message: string;
  /** True if nothing went wrong: the run reached a limit, or is no longer needed. */
  isCancelled?: boolean;
  /** True if the client wanted the run to end, so there is nothing to log. */
  isIntended?: boolean;
}

/** Reasons why a recorded run ends early. */
export const runFailures = {
  stopped: {
    code: "stopped",
    message: "The run was stopped at a client's request.",
    isCancelled: true,
    isIntended: true,
  },
  orphaned: {
    code: "client_gone",
    message: "The run ended because its client disconnected and didn't come back.",
    isCancelled: true,
    isIntended: true,
  },
  failed: { code: "internal", message: "The service failed on this run." },
  brokenOff: { code: "replica_gone", message: "The server of this run has stopped; try again." },
} as const satisfies Record<string, ShownFailure & { code: RunErrorCode }>;

type Event = { type: string; messageId?: string; toolCallId?: string };

/** The last event for a reader whose run can't be read to the end. */
export function buildRunError(profile: RelayProfile, { code, message }: { code: string; message: string }): object {
  return profile === "contract" ? { type: "RUN_ERROR", message } : { type: "RUN_ERROR", message, code };
}

/**
 * The events that end a run whose replica is dead, in stored form. In AG-UI they close everything that is open before the error.
 *
 * @param stored all events of the run. The last one has the id `storedLastId`
 */
export function brokenOffEvents(
  stored: Buffer,
  storedLastId: number,
  profile: RelayProfile,
): { bytes: Buffer; lastId: number } {
  const events = profile === "contract" ? [] : closingEvents(parseEvents(new SentEvents(0, 0).decode(stored)));
  events.push(buildRunError(profile, runFailures.brokenOff));
  const batch = new StoredBatch();
  for (const event of events) batch.event(toOneLine(event));
  return { bytes: batch.take(), lastId: storedLastId + events.length };
}

function parseEvents(sent: Buffer): Event[] {
  const lines = sent.toString().split("\n");
  return lines.filter((line) => line.startsWith("data: ")).map((line) => JSON.parse(line.slice("data: ".length)));
}

/** An END event for each START without one, the latest first, except for the run's own. */
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
