import type { Operation, Operations, Route } from "@agent-backends/contract/openapi";
import type { FastifyReply, FastifyRequest, HTTPMethods, RouteShorthandOptions } from "fastify";
import type { z } from "zod";
import type { Access } from "../auth/guard.ts";
import type { App } from "./app.ts";

type Parsed<Schema> = Schema extends z.ZodType ? z.output<Schema> : unknown;

type Handler<Described extends Operation> = (
  request: FastifyRequest<{
    Params: Parsed<Described["parameters"]>;
    Querystring: Parsed<Described["query"]>;
    Body: Described extends { body: { schema: infer Schema } } ? Parsed<Schema> : unknown;
  }>,
  reply: FastifyReply,
) => unknown;

interface HandlerWithOptions<Described extends Operation>
  extends Pick<RouteShorthandOptions, "bodyLimit" | "preValidation"> {
  /** The handler parses the body itself, for example because it is too large for memory. */
  parsesBody?: boolean;
  handler: Handler<Described>;
}

/** Registers the route of an operation, which defines and validates the requirements of a request. */
export function addRoute<Described extends Operations, Name extends keyof Described & Route>(
  app: App,
  operations: Described,
  route: Name,
  answer: Handler<Described[Name]> | HandlerWithOptions<Described[Name]>,
): void {
  const operation = operations[route] as Operation;
  const [method, url = ""] = toAddress(route, operation).split(" ");
  const { parameters: params, query: querystring, body } = operation;
  const { parsesBody = operation.hasOwnBodyErrors, ...options } =
    typeof answer === "function" ? { handler: answer } : answer;
  app.route({
    ...(options as { handler: () => unknown }),
    method: method as HTTPMethods,
    url,
    // Leave out undefined fields: fastify warns of each.
    schema: {
      ...(params && { params }),
      ...(querystring && { querystring }),
      ...(!parsesBody && body && { body: body.schema }),
    },
    config: { access: toAccess(operation), ...(parsesBody && body && { body: body.schema }) },
  });
}

/** The method and path of an operation for fastify, which calls a last parameter `*` if it may contain slashes. */
export function toAddress(route: string, { parameters }: Operation): string {
  const last = parameters && "*" in parameters.shape ? "*" : ":$1";
  return route.replace(/\{(\w+)\}$/, last).replace(/\{(\w+)\}/g, ":$1");
}

function toAccess({ access, takes }: Operation): Access {
  if (access === "open" || access === "probe") return { isOpen: true };
  return { ...(access !== "key" && { scope: access }), ...(takes && { takes }) };
}
