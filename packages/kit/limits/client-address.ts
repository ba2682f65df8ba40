import type { IncomingMessage } from "node:http";
import ipaddr from "ipaddr.js";

/** Internet providers give each customer a network of this size. */
const ipv6NetworkBits = 64;

/**
 * The address by which a client's requests are counted. For IPv6 it is the /64 network.
 *
 * @param trustedProxies the number of the operator's own proxies in front of the service. Each appends the address of its peer to
 *   `X-Forwarded-For`. Entries further left can be forged
 */
export function getClientAddress(request: IncomingMessage, trustedProxies: number): string {
  const peer = request.socket.remoteAddress ?? "";
  const forwarded = trustedProxies > 0 ? String(request.headers["x-forwarded-for"] ?? "").split(",") : [];
  const seen = removePort(forwarded.at(-Math.min(trustedProxies, forwarded.length))?.trim());
  return toNetwork(seen !== undefined && ipaddr.isValid(seen) ? seen : peer);
}

/** Some proxies, such as Azure's, append the port: `192.0.2.7:4711`, `[2001:db8::7]:4711`. */
const removePort = (address: string | undefined): string | undefined =>
  address?.replace(/^\[(.+)\](:\d+)?$/, "$1").replace(/^([\d.]+):\d+$/, "$1");

function toNetwork(address: string): string {
  if (!ipaddr.isValid(address)) return "unknown";
  const parsed = ipaddr.process(address);
  if (parsed.kind() === "ipv4") return parsed.toString();
  return ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/${ipv6NetworkBits}`).toString();
}
