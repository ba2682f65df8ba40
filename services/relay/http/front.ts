import type { IncomingMessage, ServerResponse } from "node:http";
import { isAlwaysOpen, providerHeader } from "@agent-backends/kit";
import type { Guard } from "@agent-backends/kit/auth";
import type { CorsOptions } from "cors";
import type { Relay } from "../core/relay.ts";
import { refuse } from "./refuse.ts";

/** Who may call a relay service. */
export interface Front {
  /** Undefined: everybody. */
  guard?: Guard;
  /** The origins of pages that may call. Undefined: any. */
  corsOrigins?: readonly string[] | undefined;
}

/** Pages may also read how long to wait, and the request's id. */
export const corsOptions = ({ runs }: Relay, { corsOrigins }: Front) =>
  ({
    origin: corsOrigins === undefined ? "*" : [...corsOrigins],
    methods: ["GET", "HEAD", "PUT", "PATCH", "POST", "DELETE"],
    exposedHeaders: [
      "Retry-After",
      "X-Request-Id",
      "RateLimit",
      "RateLimit-Policy",
      providerHeader,
      ...(runs ? ["Location"] : []),
    ],
  }) satisfies CorsOptions;

const streamed = { scope: "ask", takes: "stream" } as const;
const asked = { scope: "ask" } as const;

/** Middleware in front of all routes of a relay service. Refuses requests while the service drains, and those that the guard refuses. */
export function guarded(relay: Relay, { guard }: Front) {
  return (request: IncomingMessage, response: ServerResponse, next: () => void): void => {
    if (relay.lifecycle.refuse(request, response)) return;
    if (guard === undefined) {
      next();
      return;
    }
    const refused = (error: unknown) => refuse(response, error, relay.logger);
    try {
      const isStream = request.method === "POST" || (request.method === "GET" && relay.runs !== undefined);
      const admission = isAlwaysOpen(request.url ?? "")
        ? guard.admitOpen(request)
        : guard.admit(request, response, isStream ? streamed : asked);
      if (admission === undefined) next();
      else admission.then(next, refused);
    } catch (error) {
      refused(error);
    }
  };
}
