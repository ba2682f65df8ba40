import type { IncomingMessage, ServerResponse } from "node:http";
import { relayOperations } from "@agent-backends/contract/openapi";
import { isAlwaysOpen } from "@agent-backends/kit";
import { ApiDocs, findApiDocsPath } from "@agent-backends/kit/api-docs";
import type { Guard } from "@agent-backends/kit/auth";
import type { Relay } from "../core/relay.ts";
import { refuse } from "./refuse.ts";

/** The checks in front of a relay service's routes. */
export interface Front {
  /** Undefined: everyone may call. */
  guard?: Guard;
  /** Origins of pages that may call. Undefined: any. */
  corsOrigins?: readonly string[] | undefined;
  /** Version of the service, for its OpenAPI document. */
  version: string;
}

const streamed = { scope: "ask", takes: "stream" } as const;
const asked = { scope: "ask" } as const;
const documents = { isOpen: true } as const;

/**
 * Middleware in front of all routes of a relay service. Refuses requests while the service drains, and those that the guard refuses.
 * Handles the routes that describe the service.
 */
export function guarded(relay: Relay, { guard, version }: Front) {
  const keepsRuns = relay.runs !== undefined;
  const docs = new ApiDocs({
    title: "Relay",
    version,
    description: "Relays a conversation to a language model, and streams the answer as AG-UI events.\n",
    operations: relayOperations(keepsRuns),
    operationsFile: "packages/contract/openapi/relay.ts",
  });
  return (request: IncomingMessage, response: ServerResponse, next: () => void): void => {
    if (relay.lifecycle.refuse(request, response)) return;
    const refused = (error: unknown) => refuse(response, error, relay.logger);
    const docsPath = findApiDocsPath(request.url);
    const admitted = docsPath ? () => docs.answer(docsPath, request, response).catch(refused) : next;
    if (guard === undefined) {
      admitted();
      return;
    }
    try {
      const isStream = request.method === "POST" || (request.method === "GET" && keepsRuns);
      const access = docsPath ? documents : isStream ? streamed : asked;
      const admission = isAlwaysOpen(request.url ?? "")
        ? guard.admitOpen(request)
        : guard.admit(request, response, access);
      if (admission === undefined) admitted();
      else admission.then(admitted, refused);
    } catch (error) {
      refused(error);
    }
  };
}
