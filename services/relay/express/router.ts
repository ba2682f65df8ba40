import { problems } from "@agent-backends/contract";
import type { NextFunction, Request, Response, Router } from "express";
import express from "express";
import type { RelayOptions } from "../core/create-relay.ts";
import { relayOf } from "../core/create-relay.ts";
import type { Relay } from "../core/relay.ts";
import { takeBody } from "../http/json-body.ts";
import { refuse } from "../http/refuse.ts";
import { streamRun } from "../http/stream-run.ts";

/**
 * `POST /agent`, `GET /health` and `GET /ready` for any Express application. It answers errors of these routes itself;
 * other addresses, and who may call from where, are the application's. Whatever middleware the application has, the
 * stream is neither compressed nor held back.
 *
 * @param source options, or a relay made with `createRelay` where the application wants to close it
 */
export function relayRouter(source: Relay | RelayOptions): Router {
  const relay = relayOf(source);
  const router = express.Router();
  router.use("/agent", (request, response, next) => {
    if (!relay.lifecycle.refuse(request, response)) next();
  });
  router.post("/agent", async (request, response) => {
    streamRun(relay, relay.readInput(await takeBody(request)), response);
  });
  router.get("/health", (_request, response) => {
    response.json(relay.health());
  });
  router.get("/ready", async (request, response) => {
    response.json(await relay.lifecycle.readiness(request));
  });
  router.all("/agent", ({ method }) => {
    throw problems.methodNotAllowed(method, ["POST"]);
  });
  router.all(["/health", "/ready"], ({ method }) => {
    throw problems.methodNotAllowed(method, ["GET", "HEAD"]);
  });
  // Express knows an error handler by its four parameters.
  router.use((error: unknown, _request: Request, response: Response, _next: NextFunction) => {
    refuse(response, error, relay.logger);
  });
  return router;
}
