import type { RelayProfile, RunErrorCode } from "@agent-backends/contract";
import { SentEvents, StoredBatch } from "./stored-events.ts";

/** Why a run failed, as a client is told. */
export interface ShownFailure {
  /** One of `runErrorCodes`, of `problemTypes`, or the model provider's own. */
  code: string;
  /** A sentence for the client. */
  message: string;
  /** Whether nothing went wrong: the run reached a limit, or nobody wants it any more. */
  isCancelled?: boolean;
  /** The client wanted the run to end, so that there is nothing to log. */
  isIntended?: boolean;
}

/** Why a run ends that was recorded. */
export const runFailures = {
  stopped: {
    code: "stopped",
    message: "The run was stopped at a client's request.",
    isCancelled: true,
    isIntended: true,
  },
  orphaned: {
    code: "client_gone",
    message: "The run ended because its client left and nobody came back for it.",
    isCancelled: true,
    isIntended: true,
  },
  brokenOff: { code: "replica_gone", message: "The server that ran this run is gone; please try again." },
} as const satisfies Record<string, ShownFailure & { code: RunErrorCode }>;

type Event = { type: string; messageId?: string; toolCallId?: string };

/** The last event that a reader gets when its run can't be read to the end. */
export function buildRunError(profile: RelayProfile, { code, message }: { code: string; message: string }): object {
  return profile === "contract" ? { type: "RUN_ERROR", message } : { type: "RUN_ERROR", message, code };
}

/**
 * The events that end a run whose replica is dead, in their stored form. AG-UI closes all that is open before the error.
 *
 * @param stored all events of the run, whose last one has the id `storedLastId`
 */
export function brokenOffEvents(
  stored: Buffer,
  storedLastId: number,
  profile: RelayProfile,
): { bytes: Buffer; lastId: number } {
  const events = profile === "contract" ? [] : closingEvents(parseEvents(new SentEvents(0, 0).decode(stored)));
  events.push(buildRunError(profile, runFailures.brokenOff));
  const batch = new StoredBatch();
  for (const event of events) batch.event(JSON.stringify(event));
  return { bytes: batch.take(), lastId: storedLastId + events.length };
}

function parseEvents(sent: Buffer): Event[] {
  const lines = sent.toString().split("\n");
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
