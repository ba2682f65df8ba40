import type { Server } from "node:http";
import type { Socket } from "node:net";

/**
 * Delays between the probes of a half-closed connection, after two immediate ones. A client that is gone responds to a probe with a reset,
 * which the next write reports. A client that still reads ignores probes.
 */
const probeDelaysMs = [5, 20, 100, 500];

const probes = new WeakMap<Socket, () => void>();

/**
 * Lets a server respond to clients that close their half of the connection after sending their request, as `nc` does. By default Node.js
 * treats that as a disconnect. A client that has really left is detected by writing to it.
 */
export function answerHalfClosed(server: Server): Server {
  // Not documented by Node.js: https://github.com/nodejs/node/blob/v24.x/lib/_http_server.js
  (server as Server & { httpAllowHalfOpen: boolean }).httpAllowHalfOpen = true;
  return server.on("connection", (socket: Socket) => {
    socket.once("end", () => {
      probes.get(socket)?.();
      setImmediate(probeAgain, socket, 0);
    });
  });
}

function probeAgain(socket: Socket, count: number): void {
  if (socket.destroyed) return;
  probes.get(socket)?.();
  const delayMs = probeDelaysMs[count];
  if (delayMs !== undefined) setTimeout(probeAgain, delayMs, socket, count + 1).unref();
}

/** Sets a function that writes meaningless bytes to this connection's client. With undefined, probing stops. */
export function setProbe(socket: Socket | null, probe: (() => void) | undefined): void {
  if (socket === null) return;
  if (probe) probes.set(socket, probe);
  else probes.delete(socket);
}
