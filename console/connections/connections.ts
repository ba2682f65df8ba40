import type { ServiceKey } from "@agent-backends/contract/services";
import { services } from "@agent-backends/contract/services";

/** The services that the page speaks to, in the order it shows them. The relay has two implementations, each with its own address. */
export const serviceNames = ["knowledge", "listing", "relay", "relayNest"] as const satisfies ServiceKey[];
export type ServiceName = ServiceKey;

export const keyHeaders = ["Authorization: Bearer", "Authorization: Basic", "X-API-Key"] as const;
type KeyHeader = (typeof keyHeaders)[number];

/** Where a service is, and what it is told about who asks. Keys live here and nowhere else. */
export interface Connection {
  baseUrl: string;
  key: string;
  keyHeader: KeyHeader;
}

export type Connections = Record<ServiceName, Connection>;

/** A base URL without a slash at its end, or `undefined` for what is none. */
export function parseBaseUrl(text: string): string | undefined {
  const url = URL.parse(text.trim());
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) return undefined;
  return (url.origin + url.pathname).replace(/\/+$/, "");
}

/** The headers that carry the key, if there is one. */
export function keyHeadersOf({ key, keyHeader }: Connection): Record<string, string> {
  if (!key) return {};
  const [name = "", scheme] = keyHeader.split(": ");
  return { [name]: scheme ? `${scheme} ${key}` : key };
}

/** Connections to the given addresses; those that the page's own address names (`?knowledge=https://…`) win. */
export function connectionsFrom(addresses: Partial<Record<ServiceName, string>>, search: string): Connections {
  const named = new URLSearchParams(search);
  const connection = (name: ServiceName): Connection => ({
    baseUrl: parseBaseUrl(named.get(name) ?? "") ?? addresses[name] ?? `http://127.0.0.1:${services[name].startPort}`,
    key: "",
    keyHeader: "Authorization: Bearer",
  });
  return Object.fromEntries(serviceNames.map((name) => [name, connection(name)])) as Connections;
}

/**
 * The services that a link moves to a host of its own choosing: not this machine, not where the page or the given services are, and
 * not one that the user has confirmed.
 */
export function findForeign(
  connections: Connections,
  trusted: { pageHost: string; addresses: Partial<Record<ServiceName, string>>; confirmed: readonly string[] },
): ServiceName[] {
  const hostOf = (address: string) => URL.parse(address)?.hostname;
  const known = [...Object.values(trusted.addresses).map(hostOf), trusted.pageHost, "localhost", "127.0.0.1", "[::1]"];
  return serviceNames.filter((name) => {
    const { baseUrl } = connections[name];
    return !known.includes(hostOf(baseUrl)) && !trusted.confirmed.includes(baseUrl);
  });
}

/** The query that names the addresses which differ from the given ones; empty when none does. */
export function queryOf(connections: Connections, addresses: Partial<Record<ServiceName, string>>): string {
  const named = new URLSearchParams();
  for (const name of serviceNames) {
    const { baseUrl } = connections[name];
    if (baseUrl !== (addresses[name] ?? `http://127.0.0.1:${services[name].startPort}`)) named.set(name, baseUrl);
  }
  return named.size > 0 ? `?${named}` : "";
}

/** What whoever serves this page says of where the services beside it are, as `/console.json`. The rest they say themselves. */
export interface Deployment {
  version?: string;
  addresses?: Partial<Record<ServiceName, string>>;
}

/** Reads `/console.json`; a page that is served without one knows nothing of its services but their usual addresses. */
export async function readDeployment(): Promise<Deployment> {
  const response = await fetch("/console.json").catch(() => undefined);
  if (!response?.ok || !response.headers.get("content-type")?.includes("json")) return {};
  return (await response.json()) as Deployment;
}
