import type { Guard } from "@agent-backends/kit/auth";
import cors from "cors";
import type { Express, NextFunction, Request, Response } from "express";
import express from "express";
import type { Relay } from "../core/relay.ts";
import { corsOptions } from "../http/cors.ts";
import { guarded } from "../http/guarded.ts";
import { noSuchAddress, refuse } from "../http/refuse.ts";
import { relayRouter } from "./router.ts";

/**
 * The relay as an Express application of its own.
 *
 * @param front who may call, undefined: everybody, and the origins of pages that may, undefined: any
 */
export function createExpressApp(
  relay: Relay,
  front: { guard?: Guard; corsOrigins?: readonly string[] } = {},
): Express {
  const app = express();
  app.disable("x-powered-by");
  app.use(cors(corsOptions(front.corsOrigins)));
  app.use(guarded(relay, front.guard));
  app.use(relayRouter(relay));
  app.use((request: Request, response: Response) => {
    refuse(response, noSuchAddress(request), relay.logger);
  });
  app.use((error: unknown, _request: Request, response: Response, _next: NextFunction) => {
    refuse(response, error, relay.logger);
  });
  return app;
}
