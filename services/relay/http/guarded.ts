import { isAlwaysOpen } from "@agent-backends/kit";
import type { Guard } from "@agent-backends/kit/auth";
import type { NextFunction, Request, RequestHandler, Response } from "express";
import type { Relay } from "../core/relay.ts";
import { refuse } from "./refuse.ts";

const streamed = { scope: "ask", takes: "stream" } as const;
const asked = { scope: "ask" } as const;

/** Stands before all routes of a relay of its own: refuses while it drains, and lets in by the guard. */
export function guarded(relay: Relay, guard: Guard | undefined): RequestHandler {
  return (request: Request, response: Response, next: NextFunction) => {
    if (relay.lifecycle.refuse(request, response)) return;
    if (guard === undefined || isAlwaysOpen(request.path)) return next();
    const refused = (error: unknown) => refuse(response, error, relay.logger);
    try {
      const admission = guard.admit(request, response, request.method === "POST" ? streamed : asked);
      if (admission === undefined) next();
      else admission.then(() => next(), refused);
    } catch (error) {
      refused(error);
    }
  };
}
