import { confettiRequest, searchRequest, topRequest, topTimeframeRequest } from "@agent-backends/contract";
import { ClientGoneError } from "@agent-backends/kit";
import type { App } from "@agent-backends/kit/fastify";
import type { FastifyReply } from "fastify";
import type { ListingTools } from "../answer/tools.ts";
import { problemOf } from "./problem-of.ts";

/** The four tools, each as a route that answers with its payload. */
export function addToolRoutes(app: App, tools: ListingTools): void {
  app.post("/tools/top", { schema: { body: topRequest } }, ({ body }, reply) =>
    tools.run(tools.top(body), untilGone(reply)),
  );
  app.post("/tools/top_timeframe", { schema: { body: topTimeframeRequest } }, ({ body }, reply) =>
    tools.run(
      orInvalid(() => tools.topTimeframe(body)),
      untilGone(reply),
    ),
  );
  app.post("/tools/search", { schema: { body: searchRequest } }, ({ body }, reply) =>
    tools.run(tools.search(body), untilGone(reply)),
  );
  app.post("/tools/confetti", { schema: { body: confettiRequest } }, ({ body }) => tools.run(tools.confetti(body)));
}

function untilGone(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  reply.raw.once("close", () => {
    if (!reply.raw.writableFinished) gone.abort(new ClientGoneError());
  });
  return gone.signal;
}

function orInvalid<Call>(call: () => Call): Call {
  try {
    return call();
  } catch (error) {
    throw problemOf(error);
  }
}
