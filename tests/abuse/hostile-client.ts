import { connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { wellMadeRunId } from "../faults/well-made-requests.ts";

/** A request of a client that wants to do harm. */
export interface HostileRequest {
  bytes: Buffer;
  /** If set, the body is sent in pieces with this pause between them. */
  pieceMs?: number;
  /** Delay of the last byte. */
  heldBackMs?: number;
  /** Time during which the client reads nothing of the response. */
  unreadMs?: number;
  /** Time after which the client closes its connection if the response hasn't ended. */
  leaveAfterMs?: number;
}

/** No request within the limits takes longer, even on a busy machine. */
const maxAnswerMs = 120_000;
const pieceCount = 10;
/** Enough for a status line, which may follow `100 Continue`. */
const headCharacters = 100;

/**
 * Sends a request over a new connection. Resolves with the status of the response, which is read to its end, or with `closed`, `left`
 * or `hangs`.
 */
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
    const length = Math.ceil(bytes.length / pieceCount);
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

/** Gives a relay's request a new run id, because a relay that keeps runs refuses a known id before doing any work. */
function renewRunId(bytes: Buffer): Buffer {
  const at = bytes.subarray(0, searchedBytes).indexOf(runIdField);
  if (at === -1) return bytes;
  const renewed = Buffer.from(bytes);
  sentRuns += 1;
  renewed.write(`"runId":"run-${String(sentRuns).padStart(8, "0")}"`, at);
  return renewed;
}
