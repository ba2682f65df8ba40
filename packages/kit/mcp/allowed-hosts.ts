import type { IncomingHttpHeaders } from "node:http";
import { parseHostName } from "../auth/browser-policy.ts";
import { variables } from "../configuration.ts";

const loopbackNames = ["localhost", "127.0.0.1", "[::1]"];
const anyHost = "*";
/** Variables of services that offer MCP. */
export const mcpVariables = {
  MCP_ALLOWED_HOSTS: variables.hostNames().meta({
    default: "loopback only",
    description:
      "host names, beside those of `ALLOWED_HOSTS`, under which `/mcp` of Knowledge and Listing may be called",
  }),
};

/**
 * Why a request may not use MCP, or undefined if it may. Pages of other sites must not reach the service under their own host name that
 * points at it (DNS rebinding), so host and origin must be known.
 *
 * @param allowed host names in lower case without ports. `*` allows all
 */
export function findRefusal(headers: IncomingHttpHeaders, allowed: readonly string[]): string | undefined {
  if (allowed.includes(anyHost)) return undefined;
  const names = new Set([...loopbackNames, ...allowed]);
  const host = parseHostName(`http://${headers.host ?? ""}`);
  if (host === undefined || !names.has(host)) {
    return "This service doesn't know the host name of the request; add it to MCP_ALLOWED_HOSTS.";
  }
  const { origin } = headers;
  if (origin !== undefined && !names.has(parseHostName(origin) ?? "")) {
    return "The request comes from a page of another site; add its host to MCP_ALLOWED_HOSTS.";
  }
  return undefined;
}
