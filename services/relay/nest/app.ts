import "reflect-metadata";
import { NestFactory } from "@nestjs/core";
import type { NestExpressApplication } from "@nestjs/platform-express";
import type { NextFunction, Request, Response } from "express";
import type { Relay } from "../core/relay.ts";
import { anyOrigin } from "../http/cors.ts";
import { ProblemFilter } from "./problem.filter.ts";
import { RelayModule } from "./relay.module.ts";

/** The relay as a NestJS application of its own, ready for its server to listen. */
export async function createNestApp(relay: Relay): Promise<NestExpressApplication> {
  const app = await NestFactory.create<NestExpressApplication>(RelayModule.forRoot(relay), {
    bodyParser: false,
    // The service's own logger speaks for it; a failure to start is thrown.
    logger: false,
    abortOnError: false,
  });
  app.disable("x-powered-by");
  app.enableCors({ ...anyOrigin, origin: true, credentials: true });
  app.use((request: Request, response: Response, next: NextFunction) => {
    if (!relay.lifecycle.refuse(request, response)) next();
  });
  app.useGlobalFilters(new ProblemFilter(relay));
  return app.init() as Promise<NestExpressApplication>;
}
