import type { IncomingHttpHeaders } from "node:http";
import { variables } from "../configuration.ts";

const loopbackNames = ["localhost", "127.0.0.1", "[::1]"];
const anyHost = "*";
/** What a service reads that offers MCP. */
export const mcpVariables = {
  MCP_ALLOWED_HOSTS: variables.hostNames().meta({
    default: "loopback only",
    description:
      "host names, beside those of `ALLOWED_HOSTS`, under which `/mcp` of Knowledge and Listing may be called",
  }),
};

/**
 * Why a request may not use MCP: a page of another site must not reach the service by a name that leads to it (DNS rebinding), so
 * that host and origin have to be ones that are known. Undefined when it may.
 *
 * @param allowed host names in lower case without ports; `*` allows all
 */
export function refusalOf(headers: IncomingHttpHeaders, allowed: readonly string[]): string | undefined {
  if (allowed.includes(anyHost)) return undefined;
  const names = new Set([...loopbackNames, ...allowed]);
  const host = nameIn(`http://${headers.host ?? ""}`);
  if (host === undefined || !names.has(host)) {
    return "The request names another host than this service knows; add it to MCP_ALLOWED_HOSTS.";
  }
  const { origin } = headers;
  if (origin !== undefined && !names.has(nameIn(origin) ?? "")) {
    return "The request comes from a page of another site; add its host to MCP_ALLOWED_HOSTS.";
  }
  return undefined;
}

function nameIn(address: string): string | undefined {
  return URL.canParse(address) ? new URL(address).hostname : undefined;
}
