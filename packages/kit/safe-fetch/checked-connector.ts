import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import type { SecureContext } from "node:tls";
import { buildConnector } from "undici";
import { createTunnelConnector } from "../egress/dispatcher.ts";
import type { FindCertificate } from "../egress/egress.ts";
import type { FindProxy, ForwardProxy } from "../egress/forward-proxy.ts";
import { isMetadataAddress, isPublicAddress } from "./public-address.ts";
import { SafeFetchError } from "./safe-fetch-error.ts";

/** Resolves all addresses of a host name. */
export type ResolveHost = (hostname: string) => Promise<string[]>;

export const resolveBySystem: ResolveHost = async (hostname) =>
  (await lookup(hostname, { all: true })).map(({ address }) => address);

const maxAddressesTried = 4;

/**
 * Creates a connector that resolves a host itself, refuses it if any of its addresses isn't public, and connects to the address that it
 * checked. So the name can't resolve to another address in between, and a proxy gets no name to resolve itself.
 */
export function createCheckedConnector(options: {
  allowPrivate: boolean;
  connectTimeoutMs: number;
  resolveHost: ResolveHost;
  findProxy: FindProxy;
  findCertificate: FindCertificate;
  signal: AbortSignal;
}): buildConnector.connector {
  const { connectTimeoutMs: timeoutMs, signal } = options;
  const toUrl = ({ protocol, port }: buildConnector.Options, hostname: string) =>
    new URL(`${protocol}//${isIP(hostname) === 6 ? `[${hostname}]` : hostname}:${port}`);
  const findProxy = (target: buildConnector.Options, hostname: string) => options.findProxy(toUrl(target, hostname));
  const connectTo = (
    target: buildConnector.Options,
    proxy: ForwardProxy | undefined,
    secureContext: SecureContext | undefined,
  ) =>
    new Promise<Parameters<buildConnector.Callback>>((resolve) => {
      const connect = proxy
        ? createTunnelConnector(proxy, { timeoutMs, signal, secureContext })
        : buildConnector({ timeout: timeoutMs, secureContext });
      connect(target, (...outcome) => resolve(outcome));
    });

  async function resolve(target: buildConnector.Options, hostname: string): Promise<string[]> {
    try {
      return await options.resolveHost(hostname);
    } catch (cause) {
      if (!findProxy(target, hostname)) throw cause;
      throw new SafeFetchError(
        "unreachable",
        "The address's host name can't be resolved here. This service checks where an address leads before it asks its proxy, so it needs DNS for public names.",
        { cause },
      );
    }
  }

  async function connectChecked(target: buildConnector.Options): Promise<Parameters<buildConnector.Callback>> {
    const hostname = target.hostname.replace(/^\[|\]$/g, "");
    const addresses = isIP(hostname) ? [hostname] : await resolve(target, hostname);
    if (addresses.some(isMetadataAddress)) {
      throw new SafeFetchError(
        "forbidden_address",
        "The address leads to a cloud's metadata service, which is never read.",
      );
    }
    if (!options.allowPrivate && !addresses.every(isPublicAddress)) {
      throw new SafeFetchError(
        "forbidden_address",
        "The address leads to a network that is not public; use a public one.",
      );
    }
    // Asked for the host of each redirect: not all of them may see the certificate.
    const certificate = options.findCertificate(toUrl(target, hostname));
    let outcome: Parameters<buildConnector.Callback> = [new Error("The host has no address."), null];
    for (const address of addresses.slice(0, maxAddressesTried)) {
      const servername = target.servername || (isIP(hostname) ? "" : hostname);
      // NO_PROXY may list the name, or the network of its address.
      const proxy = findProxy(target, hostname) && findProxy(target, address);
      outcome = await connectTo({ ...target, hostname: address, servername }, proxy, certificate);
      if (outcome[0] === null) return outcome;
    }
    return outcome;
  }

  return (target, callback) => {
    connectChecked(target).then(
      (outcome) => callback(...outcome),
      (error) => callback(error, null),
    );
  };
}
