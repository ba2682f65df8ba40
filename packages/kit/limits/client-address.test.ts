import type { IncomingMessage } from "node:http";
import { expect, test } from "vitest";
import { getClientAddress } from "./client-address.ts";

const request = (remoteAddress: string, forwarded?: string) =>
  ({
    socket: { remoteAddress },
    headers: forwarded === undefined ? {} : { "x-forwarded-for": forwarded },
  }) as unknown as IncomingMessage;

test.each([
  ["without proxies the header counts for nothing", request("192.0.2.1", "198.51.100.7"), 0, "192.0.2.1"],
  ["behind one proxy its word counts", request("10.0.0.1", "203.0.113.9, 198.51.100.7"), 1, "198.51.100.7"],
  [
    "behind two the first of them is believed",
    request("10.0.0.1", "1.1.1.1, 198.51.100.7, 10.0.0.2"),
    2,
    "198.51.100.7",
  ],
  ["a header that is too short", request("10.0.0.1", "198.51.100.7"), 2, "198.51.100.7"],
  ["a header that is no address", request("10.0.0.1", "unknown"), 1, "10.0.0.1"],
  ["a proxy that appends the port, too", request("10.0.0.1", "198.51.100.7:4711"), 1, "198.51.100.7"],
  ["the same of an IPv6 address", request("10.0.0.1", "[2001:db8::7]:4711"), 1, "2001:db8::"],
  ["an IPv4 address in IPv6 form", request("::ffff:192.0.2.1"), 0, "192.0.2.1"],
])("%s", (_what, from, trustedProxies, address) => {
  expect(getClientAddress(from, trustedProxies)).toBe(address);
});

test("addresses of one IPv6 network are one client", () => {
  const [one, other, stranger] = ["2001:db8:1:2::1", "2001:db8:1:2:ffff::9", "2001:db8:1:3::1"].map((address) =>
    getClientAddress(request(address), 0),
  );
  expect(one).toBe(other);
  expect(one).not.toBe(stranger);
});
