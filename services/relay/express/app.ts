import cors from "cors";
import type { Express, NextFunction, Request, Response } from "express";
import express from "express";
import type { Relay } from "../core/relay.ts";
import { anyOrigin } from "../http/cors.ts";
import { notFound, refuse } from "../http/refuse.ts";
import { relayRouter } from "./router.ts";

/** The relay as an Express application of its own. */
export function createExpressApp(relay: Relay): Express {
  const app = express();
  app.disable("x-powered-by");
  app.use(cors(anyOrigin));
  app.use(relayRouter(relay));
  app.use((request: Request, response: Response) => {
    if (!relay.lifecycle.refuse(request, response)) refuse(response, notFound(request.method), relay.logger);
  });
  app.use((error: unknown, _request: Request, response: Response, _next: NextFunction) => {
    refuse(response, error, relay.logger);
  });
  return app;
}
