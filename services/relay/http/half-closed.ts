import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/**
 * When a client has closed its half of a connection something is written to it, twice at once and again after each of these
 * waits. One that is gone refuses it, as the write after that tells; one that still reads ignores it.
 */
const waitsMs = [5, 20, 100, 500];

const probes = new WeakMap<Socket, () => void>();

/**
 * Lets a server answer clients that close their half of the connection once they have sent their request, as `nc` does.
 * Node takes that for the client's leaving unless it is told otherwise; a client that has really left is noticed by writing
 * to it.
 */
export function answerHalfClosed(server: Server): Server {
  // It stands in none of node's documents: https://github.com/nodejs/node/blob/v24.x/lib/_http_server.js
  (server as Server & { httpAllowHalfOpen: boolean }).httpAllowHalfOpen = true;
  return server.on("connection", (socket: Socket) => {
    socket.once("end", () => {
      const answering = (socket as Socket & { _httpMessage?: ServerResponse })._httpMessage;
      // Nothing of this request comes any more. Node says so itself, but not of one that asks for an upgrade.
      if (answering && !answering.req.complete) {
        const error = Object.assign(new Error("The request ends too early."), { code: "HPE_INVALID_EOF_STATE" });
        if (!server.emit("clientError", error, socket)) socket.destroy();
        return;
      }
      probes.get(socket)?.();
      setImmediate(probeAgain, socket, 0);
    });
  });
}

function probeAgain(socket: Socket, times: number): void {
  if (socket.destroyed) return;
  probes.get(socket)?.();
  const waitMs = waitsMs[times];
  if (waitMs !== undefined) setTimeout(probeAgain, waitMs, socket, times + 1).unref();
}

/** Says how something that means nothing is written to the client that is being answered, or that nothing has to be. */
export function probeBy(socket: Socket | null, probe: (() => void) | undefined): void {
  if (socket === null) return;
  if (probe) probes.set(socket, probe);
  else probes.delete(socket);
}
