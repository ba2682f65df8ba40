import { BlockList, isIP } from "node:net";
import { domainToASCII } from "node:url";

const defaultPorts: Readonly<Record<string, string>> = { "http:": "80", "https:": "443" };
const hostname = /^[a-z\d_](?:[a-z\d_.-]*[a-z\d_])?$/;

/**
 * Parses `NO_PROXY` into a function that tells whether a URL's host is in the list. The list has hosts separated by commas or spaces, each
 * with or without a port. A name, with or without a leading dot, matches itself and its subdomains. An IP address or range
 * (10.0.0.0/8) matches only literal addresses, since names are not resolved. `*` matches every host. curl follows the same rules.
 *
 * @throws TypeError that quotes an invalid entry
 */
export function parseNoProxy(list: string): (target: URL) => boolean {
  const entries = list
    .split(/[\s,]+/)
    .filter(Boolean)
    .map(parseEntry);
  return (target) => {
    const host = parseHost(target);
    const port = target.port || defaultPorts[target.protocol];
    return entries.some((entry) => (entry.port === undefined || entry.port === port) && entry.matches(host));
  };
}

/** Whether a URL leads to this machine itself, where no proxy can reach it. */
export function isLoopback(target: URL): boolean {
  const host = parseHost(target);
  return host === "localhost" || host.endsWith(".localhost") || loopback(host);
}

const loopback = matchRange(["127.0.0.0", 8], ["::1", 128]);

function parseHost({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$|\.$/g, "");
}

function parseEntry(text: string): { port?: string | undefined; matches(host: string): boolean } {
  if (text === "*") return { matches: () => true };
  const [, network = "", bits] = /^(.+)\/(\d{1,3})$/.exec(text) ?? [];
  const maxBits = { 0: -1, 4: 32, 6: 128 }[isIP(network)] ?? -1;
  if (bits !== undefined && Number(bits) <= maxBits) return { matches: matchRange([network, Number(bits)]) };
  if (isIP(text) === 6) return { matches: matchRange([text, 128]) };

  const [, written = "", port] = /^(.+?)(?::(\d{1,5}))?$/.exec(text) ?? [];
  const host = written.replace(/^\[(.*)\]$/, "$1");
  if (isIP(host)) return { port, matches: matchRange([host, isIP(host) === 6 ? 128 : 32]) };
  const name = domainToASCII(host.replace(/^\*?\.|\.$/g, ""));
  if (!hostname.test(name) || /[/:@[\]]/.test(host)) throw new TypeError(text);
  return { port, matches: (other) => other === name || other.endsWith(`.${name}`) };
}

function matchRange(...ranges: [network: string, bits: number][]): (host: string) => boolean {
  const list = new BlockList();
  for (const [network, bits] of ranges) list.addSubnet(network, bits, isIP(network) === 6 ? "ipv6" : "ipv4");
  return (host) => isIP(host) !== 0 && list.check(host, isIP(host) === 6 ? "ipv6" : "ipv4");
}
