import "reflect-metadata";
import { NestFactory } from "@nestjs/core";
import type { NestExpressApplication } from "@nestjs/platform-express";
import type { Relay } from "../core/relay.ts";
import { anyOrigin } from "../http/cors.ts";
import { RelayModule } from "./relay.module.ts";

/** The relay as a NestJS application, ready for its server to listen. */
export async function createNestApp(relay: Relay): Promise<NestExpressApplication> {
  const app = await NestFactory.create<NestExpressApplication>(RelayModule.forRelay(relay), {
    bodyParser: false,
    // The service's own logger speaks for it; a failure to start is thrown.
    logger: false,
    abortOnError: false,
  });
  app.disable("x-powered-by");
  app.enableCors({ ...anyOrigin, origin: true, credentials: true });
  return app.init() as Promise<NestExpressApplication>;
}
