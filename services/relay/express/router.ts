import { problems } from "@agent-backends/contract";
import type { IRouter, NextFunction, Request, Response, Router } from "express";
import express from "express";
import type { RelayOptions } from "../core/options.ts";
import { Relay } from "../core/relay.ts";
import { refuse } from "../http/refuse.ts";
import { answerRunRequest, getAgentMethods } from "../http/stored-run.ts";
import { answerRun } from "../http/stream-run.ts";

/**
 * Adds `POST /agent`, `GET /agent/capabilities`, `GET /health` and `GET /ready` to any Express application, and `/agent/runs/{runId}` if
 * runs can be resumed. The router handles the errors of these routes itself. All other paths, and access control, are up to the
 * application. Its middleware can't compress or delay the stream.
 *
 * @param source options, or a relay created with `createRelay` if the application wants to close it
 */
export function relayRouter(source: Relay | RelayOptions): Router {
  const relay = source instanceof Relay ? source : new Relay(source);
  const router = express.Router();
  addRoutes(router, relay);
  // Express recognises an error handler by its four parameters.
  router.use((error: unknown, _request: Request, response: Response, _next: NextFunction) => {
    refuse(response, error, relay.logger);
  });
  return router;
}

/** Adds the routes of `relayRouter`, without its error handler. */
export function addRoutes(router: IRouter, relay: Relay): void {
  router.post("/agent", (request, response) => answerRun(relay, request, response));
  router.get("/agent/capabilities", (_request, response) => {
    response.json(relay.capabilities());
  });
  router.get("/agent", (request, response) => answerRunRequest(relay, request, response));
  router.all("/agent/runs/:runId", (request, response) =>
    answerRunRequest(relay, request, response, request.params.runId),
  );
  router.get("/health", (_request, response) => {
    response.json(relay.health());
  });
  router.get("/ready", async (request, response) => {
    response.json(await relay.lifecycle.readiness(request));
  });
  router.all("/agent", ({ method }) => {
    throw problems.methodNotAllowed(method, getAgentMethods(relay));
  });
  router.all(["/agent/capabilities", "/health", "/ready"], ({ method }) => {
    throw problems.methodNotAllowed(method, ["GET", "HEAD"]);
  });
}
