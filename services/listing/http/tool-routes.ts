import { confettiRequest, searchRequest, topRequest, topTimeframeRequest } from "@agent-backends/contract";
import { ClientGoneError } from "@agent-backends/kit";
import type { App } from "@agent-backends/kit/fastify";
import type { FastifyReply } from "fastify";
import type { ListingTools, ToolCall } from "../answer/tools.ts";
import { problemOf } from "./problem-of.ts";

/** The four tools, each as a route that answers with its payload. */
export function addToolRoutes(app: App, tools: ListingTools): void {
  const config = { access: { scope: "read" } } as const;
  app.post("/tools/top", { schema: { body: topRequest }, config }, ({ body }, reply) => send(reply, tools.top(body)));
  app.post("/tools/top_timeframe", { schema: { body: topTimeframeRequest }, config }, ({ body }, reply) =>
    send(
      reply,
      orInvalid(() => tools.topTimeframe(body)),
    ),
  );
  app.post("/tools/search", { schema: { body: searchRequest }, config }, ({ body }, reply) =>
    send(reply, tools.search(body)),
  );
  app.post("/tools/confetti", { schema: { body: confettiRequest }, config }, ({ body }) =>
    tools.run(tools.confetti(body)),
  );

  // Payloads that are given again are the same objects.
  const serialised = new WeakMap<object, string>();

  async function send(reply: FastifyReply, call: ToolCall): Promise<FastifyReply> {
    const payload = await tools.run(call, untilGone(reply)).catch(throwProblem);
    const json = serialised.get(payload) ?? JSON.stringify(payload);
    serialised.set(payload, json);
    return reply.type("application/json; charset=utf-8").send(json);
  }
}

function untilGone(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  if (reply.raw.destroyed) gone.abort(new ClientGoneError());
  reply.raw.once("close", () => {
    if (!reply.raw.writableFinished) gone.abort(new ClientGoneError());
  });
  return gone.signal;
}

function throwProblem(error: unknown): never {
  throw problemOf(error);
}

function orInvalid<Call>(call: () => Call): Call {
  try {
    return call();
  } catch (error) {
    return throwProblem(error);
  }
}
