import { unavailable } from "@agent-backends/kit";
import cors from "cors";
import type { Express, NextFunction, Request, Response } from "express";
import express from "express";
import type { Relay } from "../core/relay.ts";
import { anyOrigin } from "../http/cors.ts";
import { jsonBody } from "../http/json-body.ts";
import { methodNotAllowed, notFound, refuse } from "../http/refuse.ts";
import { streamRun } from "../http/stream-run.ts";

/** The relay as an Express application. */
export function createExpressApp(relay: Relay): Express {
  const app = express();
  app.disable("x-powered-by");
  app.use(cors(anyOrigin));
  app.use((request, response, next) => {
    if (!relay.lifecycle.refuse(request, response)) next();
  });

  app.post("/agent", jsonBody, (request, response) => streamRun(relay, relay.readInput(request.body), response));
  app.get("/health", (_request, response) => {
    response.json(relay.health());
  });
  app.get("/ready", async (_request, response) => {
    const reason = await relay.lifecycle.notReadyBecause();
    if (reason) throw unavailable(reason);
    response.json({ status: "ready" });
  });

  app.all("/agent", ({ method }) => {
    throw methodNotAllowed(method, ["POST"]);
  });
  app.all(["/health", "/ready"], ({ method }) => {
    throw methodNotAllowed(method, ["GET", "HEAD"]);
  });
  app.use(({ method }: Request) => {
    throw notFound(method);
  });
  // Express knows an error handler by its four parameters.
  app.use((error: unknown, _request: Request, response: Response, _next: NextFunction) => {
    refuse(response, error, relay.logger);
  });
  return app;
}
