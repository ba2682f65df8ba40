import type { IncomingMessage } from "node:http";
import ipaddr from "ipaddr.js";

/** Providers give one customer a network of this size. */
const ipv6NetworkBits = 64;

/**
 * The address by which a client is counted: of IPv6 its /64 network.
 *
 * @param trustedProxies how many proxies of the operator's own stand in front, each of which appends to `X-Forwarded-For` whom
 *   it speaks to; what stands further left a client can make up
 */
export function clientAddress(request: IncomingMessage, trustedProxies: number): string {
  const peer = request.socket.remoteAddress ?? "";
  const forwarded = trustedProxies > 0 ? String(request.headers["x-forwarded-for"] ?? "").split(",") : [];
  const seen = forwarded.at(-Math.min(trustedProxies, forwarded.length))?.trim();
  return networkOf(seen !== undefined && ipaddr.isValid(seen) ? seen : peer);
}

function networkOf(address: string): string {
  if (!ipaddr.isValid(address)) return "unknown";
  const parsed = ipaddr.process(address);
  if (parsed.kind() === "ipv4") return parsed.toString();
  return ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/${ipv6NetworkBits}`).toString();
}
