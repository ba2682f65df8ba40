import type { ServerResponse } from "node:http";
import type { RunInput } from "@agent-backends/contract";
import { startHeartbeat, streamHeaders } from "@agent-backends/kit";
import { failures } from "../core/failures.ts";
import type { Relay } from "../core/relay.ts";

const heartbeatBytes = Buffer.from(": keep-alive\n\n");

/**
 * Streams a run to a client. A client that reads slowly slows the provider down, one that goes away ends the provider's
 * request, and a shutdown whose grace is over ends the run with an error event.
 */
export function streamRun(relay: Relay, input: RunInput, response: ServerResponse): void {
  const { lifecycle, logger } = relay;
  const { graceEnded } = lifecycle;
  response.on("error", (error) => logger.error({ err: error }, "a stream could not be written; it is closed"));
  closeAfterwards(response);
  response.writeHead(200, streamHeaders("sse"));
  const heartbeat = startHeartbeat(response, heartbeatBytes, relay.heartbeatMs);

  const run = relay.start(input, {
    write(bytes) {
      heartbeat.touch();
      return response.write(bytes);
    },
    end() {
      heartbeat.stop();
      response.end();
    },
  });
  const stopForShutdown = () => run.fail(failures.shuttingDown);
  response.on("drain", () => run.drained());
  response.on("close", () => {
    graceEnded.removeEventListener("abort", stopForShutdown);
    run.abandon();
  });
  if (response.destroyed) run.abandon();
  graceEnded.addEventListener("abort", stopForShutdown, { once: true });
}

/** Node keeps a connection open whose client asked to close it, once a response says `keep-alive` as this one has to. */
function closeAfterwards(response: ServerResponse): void {
  const { shouldKeepAlive, socket } = response;
  if (!shouldKeepAlive) response.once("finish", () => socket?.end());
}
