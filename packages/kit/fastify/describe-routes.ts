import type { ApiDescription, Operation, Operations, Route } from "@agent-backends/contract/openapi";
import type { RouteOptions } from "fastify";
import { ApiDocs, apiDocsPaths } from "../api-docs/index.ts";
import type { App } from "./app.ts";
import { withHeaders } from "./with-headers.ts";

/**
 * Compares the routes registered later with the operations of the OpenAPI document. To be called before any hook that changes the
 * routes' schemas. The returned function adds the routes of the document itself, and throws for operations that have no route.
 */
export function describeRoutes(app: App, description: ApiDescription): () => void {
  const { operations, operationsFile } = description;
  const missing = new Set(Object.keys(operations) as Route[]);
  let isComplete = false;
  app.addHook("onRoute", (options) => {
    for (const method of [options.method].flat()) {
      // Fastify adds HEAD to each GET, and CORS an OPTIONS for all. Routes that come later only refuse other methods.
      if (isComplete || method === "HEAD" || options.url === "*") continue;
      const route = findRoute(operations, method, options.url);
      const operation = (operations as Partial<Operations>)[route];
      if (operation === undefined) {
        throw new Error(
          `The route ${route} is not in the OpenAPI document: describe it in an entry "${route}" in ${operationsFile}. ` +
            'docs/architecture.md says how, under "Add something".',
        );
      }
      compare(route, operation, options);
      missing.delete(route);
    }
  });
  return () => {
    const docs = new ApiDocs(description);
    const isListed = (path: string) => `GET ${path}` in operations;
    for (const path of apiDocsPaths.filter(isListed)) addDocsRoute(app, docs, path);
    const [route] = missing;
    if (route) throw new Error(`${operationsFile} describes ${route}, but there is no such route: remove the entry.`);
    isComplete = true;
    for (const path of apiDocsPaths.filter((path) => !isListed(path))) addDocsRoute(app, docs, path);
  };
}

function addDocsRoute(app: App, docs: ApiDocs, path: (typeof apiDocsPaths)[number]): void {
  app.get(path, { config: { access: { isOpen: true } } }, async (request, reply) => {
    reply.hijack();
    await docs.answer(path, request.raw, withHeaders(reply.raw, reply.getHeaders()));
  });
}

/** A route as the document names it: parameters are in braces, also a last one that may hold slashes. */
function findRoute(operations: Operations, method: string, url: string): Route {
  const route = `${method} ${url.replace(/:(\w+)/g, "{$1}")}` as Route;
  if (!route.endsWith("/*")) return route;
  const start = route.slice(0, -1);
  const described = Object.keys(operations).find(
    (one) => one.startsWith(`${start}{`) && !one.includes("/", start.length),
  );
  return (described ?? route) as Route;
}

/** @throws Error if the route requires something else than its operation says */
function compare(
  route: Route,
  { access, parameters, query, body }: Operation,
  { config, schema = {} }: RouteOptions,
): void {
  const { scope, isOpen } = config?.access ?? { isOpen: true };
  const actual = access === "probe" && config?.access === undefined ? access : isOpen ? "open" : (scope ?? "key");
  const differences = [
    actual !== access && `access (${actual})`,
    schema.params !== parameters && "parameters",
    schema.querystring !== query && "query",
    config?.access?.scope !== undefined && (schema.body ?? config.body) !== body?.schema && "body",
  ].filter((name) => name !== false);
  if (differences.length > 0) {
    throw new Error(
      `The route ${route} and its entry in the OpenAPI document differ in: ${differences.join(", ")}. Make both say the same.`,
    );
  }
}
