import type { ListingPayload } from "@agent-backends/contract";
import { confettiRequest, searchRequest, topRequest, topTimeframeRequest } from "@agent-backends/contract";
import { goneSignal } from "@agent-backends/kit";
import type { App } from "@agent-backends/kit/fastify";
import type { FastifyReply } from "fastify";
import type { ListingTools, ToolCall } from "../answer/tools.ts";

/** The four tools, each as a route that answers with its payload. */
export function addToolRoutes(app: App, tools: ListingTools): void {
  const config = { access: { scope: "read" } } as const;
  app.post("/tools/top", { schema: { body: topRequest }, config }, ({ body }, reply) => send(reply, tools.top(body)));
  app.post("/tools/top_timeframe", { schema: { body: topTimeframeRequest }, config }, ({ body }, reply) =>
    send(reply, tools.topTimeframe(body)),
  );
  app.post("/tools/search", { schema: { body: searchRequest }, config }, ({ body }, reply) =>
    send(reply, tools.search(body)),
  );
  app.post("/tools/confetti", { schema: { body: confettiRequest }, config }, ({ body }) =>
    tools.run(tools.confetti(body)),
  );

  // Payloads that are given again are the same objects.
  const serialised = new WeakMap<object, string>();

  // What is at hand is sent at once, without a promise.
  function send(reply: FastifyReply, call: ToolCall): Promise<string> | undefined {
    reply.header("content-type", "application/json; charset=utf-8");
    const payload = tools.known(call);
    if (payload === undefined) {
      return tools.run(call, goneSignal(reply.raw)).then((found) => {
        if ("retry_after_seconds" in found) reply.header("retry-after", found.retry_after_seconds);
        return jsonOf(found);
      });
    }
    reply.send(jsonOf(payload));
    return undefined;
  }

  function jsonOf(payload: ListingPayload): string {
    const known = serialised.get(payload);
    if (known !== undefined) return known;
    const json = JSON.stringify(payload);
    serialised.set(payload, json);
    return json;
  }
}
