import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { ProblemError } from "@agent-backends/contract";
import { limits, problems } from "@agent-backends/contract";
import cors from "@fastify/cors";
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from "fastify";
import Fastify, { LogController } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import type { Guard } from "../auth/guard.ts";
import type { Lifecycle } from "../lifecycle.ts";
import type { Logger } from "../logger.ts";
import { requestIdHeader } from "../observability/request-id.ts";
import { recordOf, runWithin } from "../observability/request-record.ts";
import { problemFrom, writeProblem } from "../problem.ts";
import { guardRoutes } from "./guard-routes.ts";
import { problemOfFastify } from "./problem-of-fastify.ts";
import { readJson } from "./read-json.ts";
import { watchMethods } from "./refuse-other-methods.ts";

export type App = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  ZodTypeProvider
>;

/** Of one decoded parameter in a path: names of namespaces and ids of documents are far shorter. */
const longestPathParameter = 2_048;

/**
 * A fastify server that keeps the rules common to all services: problem+json for every error, zod schemas for bodies,
 * origins, keys, `/health`, `/ready`, and 503 while it drains. It is ready to listen when the promise resolves.
 *
 * @param options.guard stands before every route but health and readiness; undefined: all are open
 * @param options.corsOrigins of pages that may call; undefined: any
 * @param options.problemOf what a client may know of the service's own errors; undefined: nothing
 * @param options.health what `/health` says beside `status`
 * @param options.routes registers the service's own routes
 */
export async function createFastify(options: {
  lifecycle: Lifecycle;
  logger: Logger;
  guard: Guard | undefined;
  corsOrigins?: readonly string[] | undefined;
  problemOf?: (error: unknown) => ProblemError;
  health?: () => object;
  routes(app: App): Promise<void> | void;
}): Promise<App> {
  const { lifecycle, corsOrigins, problemOf = problemFrom } = options;
  const app = Fastify({
    loggerInstance: withoutChildren(options.logger),
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: "request_id" }),
    genReqId: (request) => recordOf(request)?.id ?? randomUUID(),
    bodyLimit: limits.bodyBytes,
    keepAliveTimeout: limits.keepAliveMs,
    routerOptions: { maxParamLength: longestPathParameter },
    frameworkErrors: (error, request, reply) => {
      const { origin = "" } = request.headers;
      const allowed = corsOrigins === undefined ? "*" : corsOrigins.includes(origin) && origin;
      const headers = {
        ...(allowed && { "access-control-allow-origin": allowed }),
        [requestIdHeader]: request.id,
      };
      writeProblem(withHeaders(reply.raw, headers), problemOfFastify(error, problemOf));
    },
  }).withTypeProvider<ZodTypeProvider>() as unknown as App;

  app.setErrorHandler((error, request, reply) => {
    const problem = problemOfFastify(error, problemOf);
    if (problem.status >= 500)
      request.log.error({ err: error, request_id: request.id, route: request.routeOptions.url }, "request failed");
    reply.hijack();
    writeProblem(withHeaders(reply.raw, reply.getHeaders()), problem);
  });
  app.setNotFoundHandler((request) => {
    throw problems.noRoute(request.method);
  });
  readJson(app);
  observeRoutes(app);
  await app.register(cors, {
    origin: corsOrigins === undefined ? "*" : [...corsOrigins],
    methods: ["GET", "HEAD", "PUT", "PATCH", "POST", "DELETE"],
    strictPreflight: false,
    exposedHeaders: `Retry-After, ${requestIdHeader}`,
  });
  // Hooks without promises: they run for every request.
  app.addHook("onRequest", (request, reply, done) => {
    // A page of another origin has to be able to read how long to wait.
    if (lifecycle.draining || request.raw.headers.host === undefined) withHeaders(reply.raw, reply.getHeaders());
    if (lifecycle.refuse(request.raw, reply.raw)) reply.hijack();
    else done();
  });

  guardRoutes(app, options.guard);
  const refuseOtherMethods = watchMethods(app);
  app.get("/health", () => ({ status: "ok", ...options.health?.() }));
  app.get("/ready", (request) => lifecycle.readiness(request.raw));
  await options.routes(app);
  refuseOtherMethods();
  await app.ready();
  return app;
}

function observeRoutes(app: App): void {
  app.addHook("onRequest", (request, reply, done) => {
    const record = recordOf(request.raw);
    // Among fastify's own headers: with one that node was given, it would take each of them singly.
    reply.header(requestIdHeader, request.id);
    if (record) record.route = request.routeOptions.url ?? record.route;
    done();
  });
  // Reading a body ends what ran before it: only from here on does work stay within its request.
  app.addHook("preHandler", (request, _reply, done) => {
    const record = recordOf(request.raw);
    if (record) runWithin(record, done);
    else done();
  });
}

/**
 * A logger of its own for every request costs more than all that is logged with it, and fastify looks at every method of one
 * that a factory gives it.
 */
function withoutChildren(logger: Logger): FastifyBaseLogger {
  const childless: Logger = Object.create(logger, { child: { value: () => childless } });
  return childless as FastifyBaseLogger;
}

function withHeaders(response: ServerResponse, headers: object): ServerResponse {
  for (const [name, value] of Object.entries(headers)) {
    // Fastify closes the connection of a refused body: a client that still sends would never read why.
    if (!name.startsWith("content-") && name !== "connection") response.setHeader(name, value);
  }
  return response;
}
