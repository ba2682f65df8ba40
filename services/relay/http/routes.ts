/**
 * The relay's routes as templates, for the application's own observability.
 *
 * @param mountPath where the application mounts the relay, such as `/chat` or `/tenants/:tenant/chat`
 */
export function relayRoutes(mountPath = ""): string[] {
  const prefix = ["", ...mountPath.split("/").filter(Boolean)].join("/");
  const routes = ["/agent", "/agent/capabilities", "/agent/runs/:runId", "/health", "/ready"];
  return routes.map((route) => prefix + route);
}
