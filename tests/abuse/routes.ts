import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ServiceName } from "@agent-backends/testing";
import { root } from "../observability/services.ts";

/** A route as its service registers it, such as `/api/jobs/:id`. */
export interface Route {
  /** `ALL` for a route of every method that no other route of its path takes. */
  method: string;
  path: string;
}

const fastify = ["packages/kit/fastify/*.ts", "packages/kit/ag-ui/*.ts", "packages/kit/mcp/*.ts"];
/** Where each service registers its routes. */
const sources: Record<ServiceName, string[]> = {
  "relay-express": ["services/relay/express/*.ts"],
  "relay-nest": ["services/relay/nest/*.ts"],
  knowledge: ["services/knowledge/http/*.ts", ...fastify],
  listing: ["services/listing/http/*.ts", ...fastify],
};

const call = /\b(?:app|scope|router)\.(get|post|put|patch|delete|all)\(\s*["`]([^"`]+)["`]/g;
const decorator = /@(Get|Post|Put|Patch|Delete|All)\((?:"([^"]*)")?\)/g;
const controller = /@Controller\((?:"([^"]*)")?\)/g;

/** Every route of a service, read from the code that registers it, so that none can be forgotten. */
export function routesOf(service: ServiceName): Route[] {
  const files = sources[service].flatMap((pattern) => globSync(pattern, { cwd: root }));
  const routes = files
    .filter((file) => !file.endsWith(".test.ts"))
    .flatMap((file) => {
      const code = readFileSync(join(root, file), "utf8");
      const found = [...code.matchAll(call)].map(([, method = "", path = ""]) => ({
        method,
        // The name in a template is a parameter of the path.
        path: path.replaceAll(/\$\{(\w+)\}/g, ":$1"),
      }));
      const controllers = [...code.matchAll(controller)];
      const decorated = [...code.matchAll(decorator)].map(({ index, 1: method = "", 2: path }) => {
        const base = controllers.findLast((one) => one.index < index)?.[1];
        return { method, path: `/${[base, path].filter(Boolean).join("/")}` };
      });
      return [...found, ...decorated];
    })
    .map(({ method, path }) => ({ method: method.toUpperCase(), path }));
  // Beside routes of its path, one for all methods only refuses the others.
  const isRefusal = ({ method, path }: Route) =>
    method === "ALL" && routes.some((other) => other.path === path && other.method !== "ALL");
  return routes.filter((route) => !isRefusal(route));
}

/** Whether a request's path is one of a route. */
export function isOf({ method, path }: Route, request: Route): boolean {
  const pattern = path.replaceAll(/:\w+/g, "[^/]+").replace(/\*$/, ".+");
  return (method === "ALL" || request.method === method) && new RegExp(`^${pattern}(?:\\?.*)?$`).test(request.path);
}
