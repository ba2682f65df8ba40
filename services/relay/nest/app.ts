import "reflect-metadata";
import { corsOptions } from "@agent-backends/kit";
import { NestFactory } from "@nestjs/core";
import type { NestExpressApplication } from "@nestjs/platform-express";
import type { Relay } from "../core/relay.ts";
import type { Front } from "../http/front.ts";
import { guarded } from "../http/front.ts";
import { ProblemFilter } from "./problem.filter.ts";
import { RelayModule } from "./relay.module.ts";

/** The relay service as a NestJS application, ready for its server to listen. */
export async function createNestApp(relay: Relay, front: Front): Promise<NestExpressApplication> {
  const app = await NestFactory.create<NestExpressApplication>(RelayModule.forRoot(relay), {
    bodyParser: false,
    // The service uses its own logger. A failure to start is thrown.
    logger: false,
    abortOnError: false,
  });
  app.disable("x-powered-by");
  // Credentials are only useful to origins that the operator lists. With "*" browsers ignore this header.
  app.enableCors({
    ...corsOptions(front.corsOrigins, relay.runs === undefined ? [] : ["Location"]),
    credentials: true,
  });
  app.use(guarded(relay, front));
  app.useGlobalFilters(new ProblemFilter(relay));
  return app.init() as Promise<NestExpressApplication>;
}
