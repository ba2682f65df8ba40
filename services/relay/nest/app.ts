import "reflect-metadata";
import type { Guard } from "@agent-backends/kit/auth";
import { NestFactory } from "@nestjs/core";
import type { NestExpressApplication } from "@nestjs/platform-express";
import type { Relay } from "../core/relay.ts";
import { corsOptions } from "../http/cors.ts";
import { guarded } from "../http/guarded.ts";
import { ProblemFilter } from "./problem.filter.ts";
import { RelayModule } from "./relay.module.ts";

/**
 * The relay as a NestJS application of its own, ready for its server to listen.
 *
 * @param front who may call, undefined: everybody, and the origins of pages that may, undefined: any
 */
export async function createNestApp(
  relay: Relay,
  front: { guard?: Guard; corsOrigins?: readonly string[] } = {},
): Promise<NestExpressApplication> {
  const app = await NestFactory.create<NestExpressApplication>(RelayModule.forRoot(relay), {
    bodyParser: false,
    // The service's own logger speaks for it; a failure to start is thrown.
    logger: false,
    abortOnError: false,
  });
  app.disable("x-powered-by");
  // Only origins that the operator names are sent back: with any other's, each page could use its reader's credentials.
  app.enableCors({ ...corsOptions(front.corsOrigins), credentials: true });
  app.use(guarded(relay, front.guard));
  app.useGlobalFilters(new ProblemFilter(relay));
  return app.init() as Promise<NestExpressApplication>;
}
