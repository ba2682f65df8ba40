import ipaddr from "ipaddr.js";

// Public by the registries, and still inside: Azure's host agent, and IPv6 addresses that only wrap an IPv4 one.
const refusedRanges = [
  ipaddr.parseCIDR("168.63.129.16/32"),
  ipaddr.parseCIDR("::/96"),
  ipaddr.parseCIDR("64:ff9b::/96"),
];

/**
 * Whether an IP address, written in any form, is one of the public internet: unicast by the IANA special-purpose
 * registries, no metadata service of a cloud, and no other address in disguise.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== "unicast") return false;
  return !refusedRanges.some(([range, bits]) => parsed.kind() === range.kind() && parsed.match(range, bits));
}
