import { randomUUID } from "node:crypto";
import { parse } from "node:querystring";
import { limits, ProblemError, problems } from "@agent-backends/contract";
import type { ApiDescription } from "@agent-backends/contract/openapi";
import cors from "@fastify/cors";
import type { FastifyBaseLogger, FastifyRequest } from "fastify";
import Fastify, { LogController } from "fastify";
import type { Guard } from "../auth/guard.ts";
import { corsOptions } from "../cors.ts";
import { hasBody, receiveJson } from "../json-body.ts";
import type { Lifecycle } from "../lifecycle.ts";
import type { Logger } from "../logger.ts";
import { requestIdHeader } from "../observability/request-headers.ts";
import { getRecord, runWithin } from "../observability/request-record.ts";
import { isFailure, toProblem, toRouteProblem, writeProblem } from "../problem.ts";
import type { App } from "./app.ts";
import { describeRoutes } from "./describe-routes.ts";
import { guardRoutes, isForOAuth } from "./guard-routes.ts";
import { watchMethods } from "./refuse-other-methods.ts";
import { validateFields } from "./validate-fields.ts";
import { withHeaders } from "./with-headers.ts";

/** Maximum length of a decoded path parameter. Names of namespaces and ids of documents are far shorter. */
const maxPathParameterLength = 2_048;
/** Placeholder for a query that isn't parsed. */
const tooManyParameters = Object.freeze({});

/** Addresses that users give to clients, with a slash at the end, as many clients and their documentation write them. */
const addressWithSlash = /^(\/(?:mcp|agui|agent|stream|v1\/chat\/completions|v1\/models))\/(?=\?|$)/;

/**
 * In place of fastify's compilers for JSON Schema, which would be loaded at each start: `validateFields` sets the only validator, and no
 * route has a schema for its response.
 */
const refuseCompiler = () => {
  throw new Error("this schema would need a compiler that isn't loaded");
};

/**
 * Creates a fastify server with the features of all services: problem+json for every error, zod schemas for bodies, CORS, keys, `/health`,
 * `/ready`, and 503 while it drains. The server is ready to listen when the promise resolves.
 *
 * @param options.guard checks every route except health and readiness. Undefined: all routes are open
 * @param options.corsOrigins origins of pages that may call. Undefined: any
 * @param options.toProblemError converts the service's own errors to problems for clients
 * @param options.noRoute the problem for a method and URL without a route
 * @param options.api describes all routes, for `/openapi.json`. Undefined: they need no description
 * @param options.health further fields for `/health`
 * @param options.routes registers the service's own routes
 */
export async function createFastify(options: {
  lifecycle: Lifecycle;
  logger: Logger;
  guard: Guard | undefined;
  corsOrigins?: readonly string[] | undefined;
  toProblemError?: (error: unknown) => ProblemError;
  noRoute?: (method: string, url: string) => ProblemError;
  api?: ApiDescription;
  health?: () => object;
  routes(app: App): Promise<void> | void;
}): Promise<App> {
  const { lifecycle, corsOrigins, toProblemError = toProblem, noRoute = toRouteProblem } = options;
  const app = Fastify({
    loggerInstance: withoutChildren(options.logger),
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: "request_id" }),
    genReqId: (request) => getRecord(request)?.id ?? randomUUID(),
    bodyLimit: limits.bodyBytes,
    keepAliveTimeout: limits.keepAliveMs,
    schemaController: { compilersFactory: { buildValidator: refuseCompiler, buildSerializer: refuseCompiler } },
    rewriteUrl: ({ url = "" }) => url.replace(addressWithSlash, "$1"),
    routerOptions: { maxParamLength: maxPathParameterLength, querystringParser: parseQuery },
    frameworkErrors: (error, request, reply) => {
      const { origin = "" } = request.headers;
      const allowed = corsOrigins === undefined ? "*" : corsOrigins.includes(origin) && origin;
      const headers = {
        ...(allowed && { "access-control-allow-origin": allowed }),
        [requestIdHeader]: request.id,
      };
      writeProblem(withHeaders(reply.raw, headers), toFastifyProblem(error, toProblemError));
    },
  });

  /** Why the service isn't ready. Readiness is checked often, but each reason is logged once. */
  let unready: string | undefined;
  app.setErrorHandler((error, request, reply) => {
    const problem = toFastifyProblem(error, toProblemError);
    const { url: route } = request.routeOptions;
    const isLogged = route === "/ready" ? problem.status >= 500 && problem.message !== unready : isFailure(problem);
    if (route === "/ready") unready = problem.message;
    if (isLogged) {
      request.log.error({ err: error, request_id: request.id, route }, "request failed");
    }
    reply.hijack();
    writeProblem(withHeaders(reply.raw, reply.getHeaders()), problem);
  });
  app.setNotFoundHandler(({ method, url }) => {
    if (isForOAuth(url)) throw problems.noOAuth();
    // Runs have routes only with RUNS_URL.
    throw url.startsWith("/agui/runs/") ? problems.runsNotKept() : noRoute(method, url);
  });
  readJson(app);
  const addDescription = options.api && describeRoutes(app, options.api);
  validateFields(app);
  observeRoutes(app);
  await app.register(cors, {
    ...corsOptions(corsOrigins, ["Location", "Mcp-Session-Id"]),
    strictPreflight: false,
  });
  // These hooks use callbacks, because they run for every request and a promise costs more.
  app.addHook("onRequest", (request, reply, done) => {
    // An empty body has no media type, whatever the client declares: curl -d '' declares a form.
    if (!hasBody(request.raw.headers)) delete request.raw.headers["content-type"];
    // A page of another origin must be able to read Retry-After.
    if (lifecycle.draining || request.raw.headers.host === undefined) withHeaders(reply.raw, reply.getHeaders());
    if (lifecycle.refuse(request.raw, reply.raw)) reply.hijack();
    else done(request.query === tooManyParameters ? problems.tooManyParameters() : undefined);
  });

  guardRoutes(app, options.guard);
  const refuseOtherMethods = watchMethods(app);
  app.get("/health", () => ({ status: "ok", ...options.health?.() }));
  app.get("/ready", async (request) => {
    const body = await lifecycle.readiness(request.raw);
    unready = undefined;
    return body;
  });
  await options.routes(app);
  addDescription?.();
  refuseOtherMethods();
  await app.ready();
  return app;
}

/**
 * Skips parsing if there are too many parameters: parsing thousands takes longer than any response, and happens before other checks could
 * refuse the request.
 */
function parseQuery(query: string): Record<string, unknown> {
  let parameters = query === "" ? 0 : 1;
  for (let at = query.indexOf("&"); at !== -1; at = query.indexOf("&", at + 1)) parameters += 1;
  return parameters > limits.queryParameters ? tooManyParameters : parse(query, "&", "=", { maxKeys: 0 });
}

function observeRoutes(app: App): void {
  app.addHook("onRequest", (request, reply, done) => {
    const record = getRecord(request.raw);
    // Use fastify's header method: if Node.js's response already had a header, fastify would set each header separately.
    reply.header(requestIdHeader, request.id);
    if (record) record.route = request.routeOptions.url ?? record.route;
    done();
  });
  // Reading a body loses the async context. From here on, work runs within its request's context again.
  app.addHook("preHandler", (request, _reply, done) => {
    const record = getRecord(request.raw);
    if (record) runWithin(record, done);
    else done();
  });
}

/**
 * Prevents a child logger for every request. It would cost more than all log lines of the request, and fastify checks every method of a
 * logger that a factory returns.
 */
function withoutChildren(logger: Logger): FastifyBaseLogger {
  const childless: Logger = Object.create(logger, { child: { value: () => childless } });
  return childless as FastifyBaseLogger;
}

/** Makes fastify accept only JSON bodies. */
function readJson(app: App): void {
  app.removeContentTypeParser(["application/json", "text/plain"]);
  app.addContentTypeParser("application/json", (request: FastifyRequest, _payload, done) => {
    receiveJson(request.raw).then(
      // Fastify uses null for a missing body, but this is the JSON value null.
      (body) => (body === null ? done(problems.notAnObject()) : done(null, body)),
      done,
    );
  });
}

/** Converts an error of fastify or a plugin to a problem, by its code or status. `toProblemError` handles all other errors. */
function toFastifyProblem(error: unknown, toProblemError: (error: unknown) => ProblemError): ProblemError {
  if (error instanceof ProblemError) return error;
  const { code, statusCode = 500 } = error as { code?: string; statusCode?: number };
  if (code === "FST_ERR_CTP_INVALID_MEDIA_TYPE") return problems.jsonRequired(error);
  if (statusCode >= 400 && statusCode < 500) return problems.unreadable(error, statusCode);
  return toProblemError(error);
}
