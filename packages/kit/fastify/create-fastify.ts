import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { limits } from "@agent-backends/contract";
import cors from "@fastify/cors";
import type { FastifyBaseLogger, FastifyInstance, RawServerDefault } from "fastify";
import Fastify, { LogController } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import type { z } from "zod";
import type { Access, Guard } from "../auth/guard.ts";
import { anyone, rememberPrincipal } from "../auth/principal.ts";
import type { Lifecycle } from "../lifecycle.ts";
import { unavailable } from "../lifecycle.ts";
import type { Logger } from "../logger.ts";
import { requestIdHeader } from "../observability/request-id.ts";
import { recordOf, runWithin } from "../observability/request-record.ts";
import { invalidInput, ProblemError, writeProblem } from "../problem.ts";
import { problemOfFastify } from "./problem-of-fastify.ts";

export type App = FastifyInstance<
  RawServerDefault,
  IncomingMessage,
  ServerResponse,
  FastifyBaseLogger,
  ZodTypeProvider
>;

declare module "fastify" {
  interface FastifyContextConfig {
    /** What the route asks of a request. Every route has to say it. */
    access?: Access;
  }
}

/** Answered to everybody, also where keys are asked for. */
const openPaths = ["/health", "/ready"];

/** Of one decoded parameter in a path: names of namespaces and ids of documents are far shorter. */
const longestPathParameter = 2_048;

/**
 * A fastify server that keeps the rules common to all services: problem+json for every error, zod schemas for bodies,
 * origins, keys, `/health`, `/ready`, and 503 while it drains. It is ready to listen when the promise resolves.
 *
 * @param options.guard stands before every route but health and readiness; undefined: all are open
 * @param options.corsOrigins of pages that may call; undefined: any
 * @param options.health what `/health` says beside `status`
 * @param options.readiness what `/ready` says beside `status` while the service is ready
 * @param options.routes registers the service's own routes
 */
export async function createFastify(options: {
  lifecycle: Lifecycle;
  logger: Logger;
  guard: Guard | undefined;
  corsOrigins?: readonly string[] | undefined;
  health?: () => object;
  readiness?: () => object | Promise<object>;
  routes(app: App): Promise<void> | void;
}): Promise<App> {
  const { lifecycle, corsOrigins } = options;
  const app = Fastify({
    loggerInstance: options.logger as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: "request_id" }),
    // A logger of its own for every request costs more than all that is logged with it.
    childLoggerFactory: (logger) => logger,
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
      writeProblem(withHeaders(reply.raw, headers), problemOfFastify(error));
    },
  }).withTypeProvider<ZodTypeProvider>() as unknown as App;

  app.setValidatorCompiler(({ schema, httpPart }) => (value) => {
    // fastify gives null where there is no body; a body that is the word null was refused by the parser.
    const parsed = (schema as unknown as z.ZodType).safeParse(value ?? undefined);
    if (parsed.success) return { value: parsed.data };
    if (httpPart === "body" && value === null) {
      return { error: new ProblemError("not-json", "The body is empty; send a JSON object.") };
    }
    return { error: invalidInput(parsed.error.issues) };
  });
  app.setErrorHandler((error, request, reply) => {
    const problem = problemOfFastify(error);
    if (problem.status >= 500)
      request.log.error({ err: error, request_id: request.id, route: request.routeOptions.url }, "request failed");
    reply.hijack();
    writeProblem(withHeaders(reply.raw, reply.getHeaders()), problem);
  });
  app.setNotFoundHandler((request) => {
    throw new ProblemError("not-found", `There is no ${request.method} at this address; check it for a typing error.`);
  });
  readJsonBodies(app);
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
    if (lifecycle.draining) withHeaders(reply.raw, reply.getHeaders());
    if (lifecycle.refuse(request.raw, reply.raw)) reply.hijack();
    else done();
  });

  guardRoutes(app, options.guard);
  const methodsOfUrl = collectMethods(app);
  app.get("/health", () => ({ status: "ok", ...options.health?.() }));
  app.get("/ready", async () => {
    const reason = await lifecycle.notReadyBecause();
    if (reason) throw unavailable(reason);
    return { status: "ready", ...(await options.readiness?.()) };
  });
  await options.routes(app);
  refuseOtherMethods(app, methodsOfUrl);
  await app.ready();
  return app;
}

function guardRoutes(app: App, guard: Guard | undefined): void {
  app.addHook("onRoute", ({ url, method, config }) => {
    if (config?.access === undefined && !openPaths.includes(url)) {
      throw new Error(`The route ${method} ${url} does not say who may use it.`);
    }
  });
  app.addHook("onRequest", (request, reply, done) => {
    // Read once: it is made anew each time.
    const { url = "", config } = request.routeOptions;
    if (openPaths.includes(url)) return done();
    if (guard === undefined) {
      rememberPrincipal(request.raw, anyone);
      return done();
    }
    try {
      const admitted = guard.admit(request.raw, reply.raw, config.access ?? {});
      if (admitted === undefined) done();
      else admitted.then(() => done(), done);
    } catch (error) {
      done(error as Error);
    }
  });
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

function withHeaders(response: ServerResponse, headers: object): ServerResponse {
  for (const [name, value] of Object.entries(headers)) {
    if (!name.startsWith("content-")) response.setHeader(name, value);
  }
  return response;
}

function readJsonBodies(app: App): void {
  const parse = app.getDefaultJsonParser("remove", "remove");
  app.removeContentTypeParser(["application/json", "text/plain"]);
  app.addContentTypeParser("application/json", { parseAs: "string" }, (request, body, done) => {
    if (body.length === 0) return done(null, undefined);
    if (body.toString().trim() === "null")
      return done(new ProblemError("invalid-input", "The body must be a JSON object."));
    parse(request, body.toString(), done);
  });
}

function collectMethods(app: App): Map<string, Set<string>> {
  const methodsOfUrl = new Map<string, Set<string>>();
  app.addHook("onRoute", ({ url, method }) => {
    const methods = methodsOfUrl.get(url) ?? new Set();
    for (const one of [method].flat()) methods.add(one);
    methodsOfUrl.set(url, methods);
  });
  return methodsOfUrl;
}

const methodsThatMayBeRefused = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];

function refuseOtherMethods(app: App, methodsOfUrl: ReadonlyMap<string, ReadonlySet<string>>): void {
  for (const [url, allowed] of [...methodsOfUrl]) {
    const refused = methodsThatMayBeRefused.filter((method) => !allowed.has(method));
    if (url === "*" || refused.length === 0) continue;
    const allow = [...allowed, "OPTIONS"].join(", ");
    app.route({
      method: refused,
      url,
      config: { access: {} },
      // Refused before its body is read: what the body holds does not matter.
      onRequest: async (request) => {
        const detail = `${request.method} is not possible here; use ${[...allowed].join(" or ")}.`;
        throw new ProblemError("method-not-allowed", detail, { headers: { Allow: allow } });
      },
      handler: () => undefined,
    });
  }
}
