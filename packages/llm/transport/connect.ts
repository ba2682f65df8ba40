import type { Socket } from "node:net";
import { connect as connectPlain, isIP } from "node:net";
import type { ConnectionOptions, SecureContext } from "node:tls";
import { connect as connectSecure } from "node:tls";
import type { ForwardProxy } from "@agent-backends/kit/egress";
import { openTunnel } from "@agent-backends/kit/egress";

/** Destination of a connection, and whether it goes through a proxy. */
export interface Destination {
  /** The provider. */
  readonly target: URL;
  readonly proxy: ForwardProxy | undefined;
  /** Client certificate for a provider that requires one. */
  readonly clientCertificate: SecureContext | undefined;
}

const probeAfterIdleMs = 60_000;

/**
 * Starts connecting to the provider, or to the proxy for plain HTTP requests.
 *
 * @param onread Node.js writes each read into its buffer
 */
export function connect(
  { target, proxy, clientCertificate }: Destination,
  onread: { buffer: Buffer; callback(length: number): boolean },
): Socket {
  const server = proxy?.url ?? target;
  const isSecure = server.protocol === "https:";
  const options = {
    host: getHost(server),
    port: Number(server.port || (isSecure ? 443 : 80)),
    noDelay: true,
    keepAlive: true,
    keepAliveInitialDelay: probeAfterIdleMs,
    onread,
  };
  if (!isSecure) return connectPlain(options);
  return connectSecure({ ...options, ...tlsOptions(server, proxy ? undefined : clientCertificate) });
}

/** Starts TLS with the provider in a tunnel through the proxy. */
export async function connectThrough(
  proxy: ForwardProxy,
  { target, clientCertificate }: Destination,
  signal: AbortSignal,
): Promise<Socket> {
  const address = { host: getHost(target), port: Number(target.port || 443) };
  const socket = await openTunnel(proxy, address, signal);
  socket.setKeepAlive(true, probeAfterIdleMs);
  return connectSecure({ ...tlsOptions(target, clientCertificate), socket });
}

function tlsOptions(server: URL, secureContext: SecureContext | undefined): ConnectionOptions {
  const host = getHost(server);
  return { host, servername: isIP(host) ? "" : host, ALPNProtocols: ["http/1.1"], secureContext };
}

const getHost = ({ hostname }: URL) => hostname.replace(/^\[|\]$/g, "");
