import type { ServiceKey } from "@agent-backends/contract/services";
import { services } from "@agent-backends/contract/services";

export type ServiceName = ServiceKey;

/** The services in the order in which the page shows them. The relay has two implementations, each with its own address. */
export const serviceNames: readonly ServiceName[] = ["knowledge", "listing", "relay", "relayNest"];

export const keyHeaders = ["Authorization: Bearer", "Authorization: Basic", "X-API-Key"] as const;
export type KeyHeader = (typeof keyHeaders)[number];

/** The address and credentials of a service. Keys are held only here, never in storage or in the page's address. */
export interface Connection {
  baseUrl: string;
  key: string;
  keyHeader: KeyHeader;
}

export type Connections = Record<ServiceName, Connection>;
export type Addresses = Partial<Record<ServiceName, string>>;

/** The default address of a service started by `npm start`. */
const defaultAddress = (name: ServiceName) => `http://127.0.0.1:${services[name].startPort}`;

/** `/console.json`: what the page's server knows about the services next to it. */
export interface Deployment {
  version?: string;
  addresses?: Addresses;
}

/** Reads `/console.json`. A page served without it uses the default addresses. */
export async function readDeployment(): Promise<Deployment> {
  const response = await fetch("/console.json").catch(() => undefined);
  if (!response?.ok || !response.headers.get("content-type")?.includes("json")) return {};
  return (await response.json()) as Deployment;
}

/** Normalizes a base URL by removing the trailing slash. Undefined if the text isn't an http(s) URL without credentials. */
export function parseBaseUrl(text: string): string | undefined {
  const url = URL.parse(text.trim());
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) return undefined;
  return (url.origin + url.pathname).replace(/\/+$/, "");
}

/** The headers that carry the key, if there is one. */
export function buildKeyHeaders({ key, keyHeader }: Connection): Record<string, string> {
  if (!key) return {};
  const [name = "", scheme] = keyHeader.split(": ");
  return { [name]: scheme ? `${scheme} ${key}` : key };
}

/** Connections to the given addresses. Addresses in the page's query (`?knowledge=https://…`) override them. */
export function buildConnections(addresses: Addresses, search: string): Connections {
  const query = new URLSearchParams(search);
  const connection = (name: ServiceName): Connection => ({
    baseUrl: parseBaseUrl(query.get(name) ?? "") ?? addresses[name] ?? defaultAddress(name),
    key: "",
    keyHeader: "Authorization: Bearer",
  });
  return Object.fromEntries(serviceNames.map((name) => [name, connection(name)])) as Connections;
}

/**
 * The services whose address was set by a link and must first be confirmed by the user. Trusted without asking: this machine, the hosts
 * of the page and of the given addresses, and addresses confirmed earlier.
 */
export function findUntrusted(
  connections: Connections,
  trusted: { pageHost: string; addresses: Addresses; confirmed: readonly string[] },
): ServiceName[] {
  const parseHost = (address: string) => URL.parse(address)?.hostname;
  const hosts = Object.values(trusted.addresses).map(parseHost);
  const known = [...hosts, trusted.pageHost, "localhost", "127.0.0.1", "[::1]"];
  return serviceNames.filter((name) => {
    const { baseUrl } = connections[name];
    return !known.includes(parseHost(baseUrl)) && !trusted.confirmed.includes(baseUrl);
  });
}

/**
 * The other services for which a service's key may also be valid: those on the same host, at the addresses given by this page's server,
 * and without a key of their own.
 */
export function findKeySharers(
  name: ServiceName,
  baseUrl: string,
  connections: Connections,
  addresses: Addresses,
): ServiceName[] {
  const { hostname } = new URL(baseUrl);
  if (baseUrl !== addresses[name]) return [];
  return serviceNames.filter((other) => {
    const { baseUrl: address, key } = connections[other];
    const isGiven = address === addresses[other] && new URL(address).hostname === hostname;
    return other !== name && isGiven && (key === "" || key === connections[name].key);
  });
}

/** The page's query for addresses that differ from the given ones, or an empty string. */
export function buildQuery(connections: Connections, addresses: Addresses): string {
  const query = new URLSearchParams();
  for (const name of serviceNames) {
    const { baseUrl } = connections[name];
    if (baseUrl !== (addresses[name] ?? defaultAddress(name))) query.set(name, baseUrl);
  }
  return query.size > 0 ? `?${query}` : "";
}
