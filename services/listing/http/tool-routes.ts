import type { ListingPayload } from "@agent-backends/contract";
import { listingOperations } from "@agent-backends/contract/openapi";
import { getWarnings, goneSignal } from "@agent-backends/kit";
import type { App } from "@agent-backends/kit/fastify";
import { addRoute } from "@agent-backends/kit/fastify";
import type { ActionContext } from "../actions/action.ts";
import { toolActions } from "../actions/index.ts";

/** Adds `POST /tools/<action>`: each tool's payload as JSON. */
export function addToolRoutes(app: App, context: ActionContext): void {
  // Payloads built from the source's cached answers are identical objects, so their JSON can be cached.
  const serialised = new WeakMap<object, string>();

  function toJson(payload: ListingPayload): string {
    const existing = serialised.get(payload);
    if (existing !== undefined) return existing;
    const json = JSON.stringify(payload);
    serialised.set(payload, json);
    return json;
  }

  for (const { name, tool } of toolActions) {
    addRoute(app, listingOperations, `POST /tools/${name}`, ({ body, query }, reply) => {
      // Warnings can only be added to objects, not to serialised JSON.
      const format = getWarnings(query, body).length === 0 ? toJson : (payload: ListingPayload) => payload;
      const call = tool.call(body, context);
      reply.header("content-type", "application/json; charset=utf-8");
      const payload = call.known();
      if (payload === undefined) {
        return call.run(goneSignal(reply.raw)).then((found) => {
          if ("retry_after_seconds" in found) reply.header("retry-after", found.retry_after_seconds);
          return format(found);
        });
      }
      // A cached payload is sent at once, without a promise: this is the route's hot path.
      reply.send(format(payload));
      return undefined;
    });
  }
}
