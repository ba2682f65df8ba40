import type { IncomingHttpHeaders } from "node:http";
import { isIP } from "node:net";
import { problems } from "@agent-backends/contract";
import ipaddr from "ipaddr.js";

const maxKnownHosts = 64;

/** Decides which web pages may call a service, and under which host names. Clients other than browsers send no Origin. */
export class BrowserPolicy {
  readonly #listensOnLoopback: boolean;
  readonly #allowedHosts: ReadonlySet<string>;
  readonly #corsOrigins: readonly string[] | undefined;
  /** Allowed hosts, as spelt in requests. Parsing a host takes longer than the rest of the check. */
  readonly #knownHosts = new Set<string>();

  /**
   * @param options.host the address that the service listens on
   * @param options.allowedHosts further host names, in lower case and without ports. `*` allows all
   * @param options.corsOrigins origins of pages that may call. Undefined: any
   */
  constructor(options: { host: string; allowedHosts: readonly string[]; corsOrigins: readonly string[] | undefined }) {
    this.#listensOnLoopback = isLoopback(options.host);
    this.#allowedHosts = new Set([...options.allowedHosts, options.host.toLowerCase()]);
    this.#corsOrigins = options.corsOrigins;
  }

  /**
   * Without keys, a service would respond to any web page open in a browser that can reach it. So it responds only under names that no page
   * can point at it (DNS rebinding), and pages of other sites can't change anything.
   *
   * @throws ProblemError `forbidden`
   */
  check(headers: IncomingHttpHeaders, request: { isKeyless: boolean; changesState: boolean }): void {
    const { origin, host } = headers;
    if (request.isKeyless && host !== undefined) this.#requireKnownHost(host);
    if (origin === undefined || URL.parse(origin)?.host === host) return;
    if (this.#corsOrigins !== undefined) {
      if (this.#corsOrigins.includes(origin)) return;
      throw problems.originForbidden(origin);
    }
    if (request.isKeyless && request.changesState && !isLocalOrSame(origin, host)) {
      throw problems.keylessChangeForbidden(origin);
    }
  }

  #requireKnownHost(host: string): void {
    if (this.#knownHosts.has(host)) return;
    if (!this.#isAllowed(parseHostName(`http://${host}`))) throw problems.hostForbidden(host);
    if (this.#knownHosts.size >= maxKnownHosts) this.#knownHosts.clear();
    this.#knownHosts.add(host);
  }

  #isAllowed(name: string | undefined): boolean {
    if (name === undefined) return false;
    if (isLoopback(name) || this.#allowedHosts.has(name) || this.#allowedHosts.has("*")) return true;
    // No page can make an IP address point to another machine.
    return !this.#listensOnLoopback && isIP(stripBrackets(name)) !== 0;
  }
}

/** Whether a page comes from this machine, or from the host that the request names. */
function isLocalOrSame(origin: string, host: string | undefined): boolean {
  const name = parseHostName(origin);
  return name !== undefined && (isLoopback(name) || name === parseHostName(`http://${host}`));
}

/** Whether a host name or address, in brackets or not, belongs to the loopback interface. */
export function isLoopback(host: string): boolean {
  const name = stripBrackets(host);
  return isIP(name) === 0 ? name.toLowerCase() === "localhost" : ipaddr.process(name).range() === "loopback";
}

const stripBrackets = (host: string) => host.replace(/^\[|\]$/g, "");

export const parseHostName = (address: string): string | undefined => URL.parse(address)?.hostname;
