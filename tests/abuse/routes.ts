import { knowledgeRunQuerySchema, listingRunQuerySchema } from "@agent-backends/contract";
import type { Operations } from "@agent-backends/contract/openapi";
import {
  agUiRunOperations,
  knowledgeOperations,
  listingOperations,
  relayOperations,
} from "@agent-backends/contract/openapi";
import type { ServiceName } from "@agent-backends/testing";

/** A route as in the service's OpenAPI description, such as `/api/jobs/{id}`. */
export interface Route {
  method: string;
  path: string;
}

const relay = relayOperations(true);
const operations: Record<ServiceName, Operations> = {
  "relay-express": relay,
  "relay-nest": relay,
  knowledge: { ...knowledgeOperations, ...agUiRunOperations(knowledgeRunQuerySchema) },
  listing: { ...listingOperations, ...agUiRunOperations(listingRunQuerySchema) },
};

/** Every route of a service except those of the description itself. A service doesn't start with a route that isn't described. */
export const listRoutes = (service: ServiceName): Route[] =>
  Object.entries(operations[service]).flatMap(([route, { access }]) => {
    const [method = "", path = ""] = route.split(" ");
    return access === "open" ? [] : [{ method, path }];
  });

/** Whether a request's path belongs to a route. */
export function isRequestTo({ method, path }: Route, request: Route): boolean {
  const pattern = path.replaceAll(/\{\w+\}/g, "[^/]+");
  return request.method === method && new RegExp(`^${pattern}(?:\\?.*)?$`).test(request.path);
}
