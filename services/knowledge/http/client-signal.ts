import type { ServerResponse } from "node:http";
import type { Lifecycle } from "@agent-backends/kit";
import { ClientGoneError } from "@agent-backends/kit";

/** Aborts when the client goes away before its answer is whole, and when the time to shut down is over. */
export function clientSignal(response: ServerResponse, lifecycle: Lifecycle): AbortSignal {
  const gone = new AbortController();
  response.once("close", () => {
    if (!response.writableFinished) gone.abort(new ClientGoneError());
  });
  if (response.destroyed) gone.abort(new ClientGoneError());
  return AbortSignal.any([gone.signal, lifecycle.graceEnded]);
}
