import type { IncomingHttpHeaders } from "node:http";
import { isIP } from "node:net";
import { problems } from "@agent-backends/contract";
import ipaddr from "ipaddr.js";

/** Says which web pages may reach a service, and under which host names. Programs that are no browsers send no Origin. */
export class BrowserPolicy {
  readonly #listensOnLoopback: boolean;
  readonly #allowedHosts: ReadonlySet<string>;
  readonly #corsOrigins: readonly string[] | undefined;

  /**
   * @param options.host where the service listens
   * @param options.allowedHosts further host names in lower case without ports; `*` allows all
   * @param options.corsOrigins of pages that may call; undefined: any
   */
  constructor(options: { host: string; allowedHosts: readonly string[]; corsOrigins: readonly string[] | undefined }) {
    this.#listensOnLoopback = isLoopback(options.host);
    this.#allowedHosts = new Set([...options.allowedHosts, options.host.toLowerCase()]);
    this.#corsOrigins = options.corsOrigins;
  }

  /**
   * Without keys the browser of whoever may reach the service is all that a foreign page needs. So such a service answers only
   * under names that no page can point at it (DNS rebinding), and foreign pages change nothing.
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
    if (request.isKeyless && request.changesState && !isNear(origin, host)) {
      throw problems.keylessChangeForbidden(origin);
    }
  }

  #requireKnownHost(host: string): void {
    const name = hostNameOf(`http://${host}`);
    if (name !== undefined) {
      if (isLoopback(name) || this.#allowedHosts.has(name) || this.#allowedHosts.has("*")) return;
      // No page can point an IP address at another machine.
      if (!this.#listensOnLoopback && isIP(unbracketed(name))) return;
    }
    throw problems.hostForbidden(host);
  }
}

/** Whether a page's origin is of this machine, or of the host that the request names. */
function isNear(origin: string, host: string | undefined): boolean {
  const name = hostNameOf(origin);
  return name !== undefined && (isLoopback(name) || name === hostNameOf(`http://${host}`));
}

/** Whether a host name or address, in brackets or not, is of the loopback interface. */
export function isLoopback(host: string): boolean {
  const name = unbracketed(host);
  return isIP(name) === 0 ? name.toLowerCase() === "localhost" : ipaddr.process(name).range() === "loopback";
}

const unbracketed = (host: string) => host.replace(/^\[|\]$/g, "");

const hostNameOf = (address: string): string | undefined => URL.parse(address)?.hostname;
