import type { ApiDescription, Operation } from "@agent-backends/contract/openapi";
import { ApiDocs, apiDocsPaths } from "../api-docs/index.ts";
import { toAddress } from "./add-route.ts";
import type { App } from "./app.ts";
import { withHeaders } from "./with-headers.ts";

/**
 * Checks that each route registered later is in the OpenAPI document. The returned function adds the routes of the document itself,
 * and throws for operations that have no route.
 */
export function describeRoutes(app: App, description: ApiDescription): () => void {
  const { operations, operationsFile } = description;
  const missing = new Map(Object.entries<Operation>(operations).map(([route, one]) => [toAddress(route, one), route]));
  const described = new Set(missing.keys());
  let isComplete = false;
  app.addHook("onRoute", (options) => {
    for (const method of [options.method].flat()) {
      // Fastify adds HEAD to each GET, and CORS adds OPTIONS for all. Routes registered later only refuse other methods.
      if (isComplete || method === "HEAD" || options.url === "*") continue;
      const address = `${method} ${options.url}`;
      if (!described.has(address)) {
        const route = address.replace(/:(\w+)/g, "{$1}");
        throw new Error(
          `The route ${route} is not in the OpenAPI document: describe it in an entry "${route}" in ${operationsFile}. ` +
            'docs/architecture.md says how, under "Add something".',
        );
      }
      missing.delete(address);
    }
  });
  return () => {
    const docs = new ApiDocs(description);
    const isListed = (path: string) => `GET ${path}` in operations;
    for (const path of apiDocsPaths.filter(isListed)) addDocsRoute(app, docs, path);
    const [route] = missing.values();
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
