import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { buildConnector } from "undici";
import { isMetadataAddress, isPublicAddress } from "./public-address.ts";
import { SafeFetchError } from "./safe-fetch-error.ts";

/** Resolves all addresses of a host name. */
export type ResolveHost = (hostname: string) => Promise<string[]>;

export const resolveBySystem: ResolveHost = async (hostname) =>
  (await lookup(hostname, { all: true })).map(({ address }) => address);

const maxAddressesTried = 4;

/**
 * A connector that resolves a host itself, refuses it if any of its addresses isn't public, and connects to the address that it
 * checked. So the name can't resolve to another address in between.
 */
export function createCheckedConnector(options: {
  allowPrivate: boolean;
  connectTimeoutMs: number;
  resolveHost: ResolveHost;
}): buildConnector.connector {
  const connect = buildConnector({ timeout: options.connectTimeoutMs });
  const connectTo = (target: buildConnector.Options) =>
    new Promise<Parameters<buildConnector.Callback>>((resolve) => {
      connect(target, (...outcome) => resolve(outcome));
    });

  async function connectChecked(target: buildConnector.Options): Promise<Parameters<buildConnector.Callback>> {
    const hostname = target.hostname.replace(/^\[|\]$/g, "");
    const addresses = isIP(hostname) ? [hostname] : await options.resolveHost(hostname);
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
    let outcome: Parameters<buildConnector.Callback> = [new Error("The host has no address."), null];
    for (const address of addresses.slice(0, maxAddressesTried)) {
      const servername = target.servername || (isIP(hostname) ? "" : hostname);
      outcome = await connectTo({ ...target, hostname: address, servername });
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
