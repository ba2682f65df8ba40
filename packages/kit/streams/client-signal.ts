import type { ServerResponse } from "node:http";
import type { Lifecycle } from "../lifecycle.ts";
import { ClientGoneError } from "./ended-errors.ts";

/** Aborts with a ClientGoneError when the client disconnects before its response is complete. */
export function goneSignal(response: ServerResponse): AbortSignal {
  const gone = new AbortController();
  response.once("close", () => {
    if (!response.writableFinished) gone.abort(new ClientGoneError());
  });
  if (response.destroyed) gone.abort(new ClientGoneError());
  return gone.signal;
}

/** Like `goneSignal`, but also aborts when the shutdown grace period ends. */
export function clientSignal(response: ServerResponse, lifecycle: Lifecycle): AbortSignal {
  return AbortSignal.any([goneSignal(response), lifecycle.graceEnded]);
}
