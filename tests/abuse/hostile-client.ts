import { connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { wellMadeRunId } from "../faults/well-made-requests.ts";

/** A request of a client that wants to do harm. */
export interface HostileRequest {
  bytes: Buffer;
  /** Its body is sent in pieces with this time between them. */
  pieceMs?: number;
  /** Its last byte comes after this time. */
  heldBackMs?: number;
  /** The client takes nothing of the answer for this time. */
  unreadMs?: number;
  /** The client closes its connection after this time if the answer hasn't ended. */
  leaveAfterMs?: number;
}

/** Nothing that is within the limits takes longer, on however busy a machine. */
const maxAnswerMs = 120_000;
const pieces = 10;
/** Enough for a status line; `100 Continue` may come first. */
const headCharacters = 100;

/** Sends a request over a connection of its own: the status of its answer, which is read to its end, or `closed`, `left` or `hangs`. */
export async function sendHostile(baseUrl: string, request: HostileRequest): Promise<string> {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  let head = "";
  let outcome = "closed";
  const timer = setTimeout(() => {
    outcome = request.leaveAfterMs === undefined ? "hangs" : "left";
    end();
  }, request.leaveAfterMs ?? maxAnswerMs);
  socket.on("data", (data) => {
    if (head.length < headCharacters) head += data.toString("latin1", 0, headCharacters);
  });
  for (const event of ["end", "error", "close"]) socket.once(event, () => end());
  socket.on("error", () => undefined);
  if (request.unreadMs !== undefined) socket.pause();
  await sendPieces({ ...request, bytes: renewRunId(request.bytes) }, (bytes) => socket.write(bytes));
  if (request.unreadMs !== undefined) {
    await Promise.race([delay(request.unreadMs), ended]);
    socket.resume();
  }
  await ended;
  clearTimeout(timer);
  socket.destroy();
  return outcome === "hangs" ? outcome : (/HTTP\/1\.1 ([2-5]\d\d)/.exec(head)?.[1] ?? outcome);
}

async function sendPieces({ bytes, pieceMs, heldBackMs }: HostileRequest, write: (bytes: Buffer) => void) {
  if (heldBackMs !== undefined) {
    write(bytes.subarray(0, -1));
    await delay(heldBackMs);
    write(bytes.subarray(-1));
  } else if (pieceMs !== undefined) {
    const length = Math.ceil(bytes.length / pieces);
    for (let at = 0; at < bytes.length; at += length) {
      write(bytes.subarray(at, at + length));
      await delay(pieceMs);
    }
  } else write(bytes);
}

/** The run id of a request is among its first bytes. */
const searchedBytes = 2_000;
const runIdField = `"runId":"${wellMadeRunId}"`;
let sentRuns = 0;

/** Gives a request to a relay a run id of its own: a relay that keeps runs refuses one that it knows, before any work. */
function renewRunId(bytes: Buffer): Buffer {
  const at = bytes.subarray(0, searchedBytes).indexOf(runIdField);
  if (at === -1) return bytes;
  const renewed = Buffer.from(bytes);
  sentRuns += 1;
  renewed.write(`"runId":"run-${String(sentRuns).padStart(8, "0")}"`, at);
  return renewed;
}
