import { corsOptions } from "@agent-backends/kit";
import cors from "cors";
import type { Express, NextFunction, Request, Response } from "express";
import express from "express";
import type { Relay } from "../core/relay.ts";
import type { Front } from "../http/front.ts";
import { guarded } from "../http/front.ts";
import { refuse, toAddressProblem } from "../http/refuse.ts";
import { addRoutes } from "./router.ts";

/** The relay service as an Express application. */
export function createExpressApp(relay: Relay, front: Front): Express {
  const app = express();
  app.disable("x-powered-by");
  app.use(cors(corsOptions(front.corsOrigins, relay.runs === undefined ? [] : ["Location"])));
  app.use(guarded(relay, front));
  // Doesn't use `relayRouter`: a nested router costs each request a few microseconds.
  addRoutes(app, relay);
  app.use((request: Request, response: Response) => {
    refuse(response, toAddressProblem(request), relay.logger);
  });
  app.use((error: unknown, _request: Request, response: Response, _next: NextFunction) => {
    refuse(response, error, relay.logger);
  });
  return app;
}
