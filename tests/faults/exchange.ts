import { connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import type { Sending } from "./malformed-requests.ts";
import { maxAnswerMs } from "./survival.ts";

/** Maximum number of characters of a response to examine. `100 Continue` may come first. */
const maxHeadCharacters = 100;
/** Pause between the pieces of a request. */
const pieceMs = 2;
/** Delay of the end of a request that its server may consider incomplete. */
const endAfterMs = 300;

/**
 * Sends bytes, ends the sending side after a while, and resolves with the status of the first response, or with `closed`, `left` or
 * `hangs`. A server may treat a client that ended its side as gone, so a request that was only answered slowly gets a second chance
 * without that.
 */
export async function exchange(host: string, port: number, sending: Sending, endMs = endAfterMs): Promise<string> {
  const { pieces, shouldDisconnect } = sending;
  const socket = connect({ host, port, allowHalfOpen: true });
  const { promise, resolve } = Promise.withResolvers<string>();
  let head = "";
  const closed = () => resolve(/HTTP\/1\.1 ([2-5]\d\d)/.exec(head)?.[1] ?? "closed");
  const timer = setTimeout(() => resolve("hangs"), maxAnswerMs);
  let hasEnded = false;
  const ender = setTimeout(() => {
    hasEnded = true;
    socket.end();
  }, endMs);
  socket.on("data", (data: Buffer) => {
    if (head.length < maxHeadCharacters) head += data.toString("latin1", 0, maxHeadCharacters);
  });
  for (const event of ["end", "error", "close"]) socket.on(event, closed);
  for (const [index, piece] of pieces.entries()) {
    if (index > 0) await delay(pieceMs);
    socket.write(piece);
  }
  if (shouldDisconnect) {
    await delay(pieceMs);
    resolve("left");
  }
  const outcome = await promise;
  clearTimeout(timer);
  clearTimeout(ender);
  socket.destroy();
  const isRetried = outcome === "closed" && hasEnded && endMs === endAfterMs;
  return isRetried ? exchange(host, port, sending, maxAnswerMs / 2) : outcome;
}
