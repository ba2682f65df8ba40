import ipaddr from "ipaddr.js";

// Addresses where clouds hand out credentials to any process inside, and IPv6 forms that embed an IPv4 address.
const neverFetched = [
  "169.254.0.0/16", // AWS, Azure, Google Cloud, and ECS task credentials
  "168.63.129.16/32", // Azure's host agent
  "100.100.100.200/32", // Alibaba Cloud
  "192.0.0.192/32", // Oracle Cloud
  "fd00:ec2::/32", // AWS
  "fd20:ce::254/128", // Google Cloud
  "fe80::/10",
  "::/96",
  "64:ff9b::/96",
  "64:ff9b:1::/48",
  "2002::/16",
].map((range) => ipaddr.parseCIDR(range));

const ipv6Loopback = "::1";

/** Whether an IP address, in any notation, is a cloud's metadata service. These are never fetched, whatever the configuration. */
export function isMetadataAddress(address: string): boolean {
  const parsed = ipaddr.process(address);
  if (parsed.toString() === ipv6Loopback) return false;
  return neverFetched.some(([range, bits]) => parsed.kind() === range.kind() && parsed.match(range, bits));
}

/**
 * Whether an IP address, in any notation, belongs to the public internet: unicast by the IANA special-purpose registries, and not a cloud's
 * metadata service.
 */
export function isPublicAddress(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === "unicast" && !isMetadataAddress(address);
}
