import { request as requestPlain } from "node:http";
import { request as requestSecure } from "node:https";
import type { Socket } from "node:net";
import { isIP } from "node:net";
import type { ForwardProxy } from "./forward-proxy.ts";
import { ProxyError } from "./forward-proxy.ts";

/**
 * Opens a connection to a server through a proxy, by CONNECT (RFC 9110, section 9.3.6). The caller owns the socket.
 *
 * @param target.host a name, which the proxy resolves, or an IP address
 * @throws ProxyError, and the signal's reason once it aborts
 */
export function openTunnel(
  proxy: ForwardProxy,
  { host, port }: { host: string; port: number },
  signal: AbortSignal,
): Promise<Socket> {
  const { protocol, hostname, port: proxyPort } = proxy.url;
  const target = `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
  const proxyHost = hostname.replace(/^\[|\]$/g, "");
  const send = protocol === "https:" ? requestSecure : requestPlain;
  return new Promise((resolve, reject) => {
    const request = send({
      method: "CONNECT",
      host: proxyHost,
      port: proxyPort,
      // Otherwise Node.js takes the server name from the Host header.
      servername: isIP(proxyHost) ? "" : proxyHost,
      path: target,
      headers: { host: target, ...(proxy.authorization && { "proxy-authorization": proxy.authorization }) },
      agent: false,
      signal,
    });
    request.once("connect", ({ statusCode: status = 0 }, socket: Socket) => {
      if (status >= 200 && status < 300) {
        resolve(socket.setNoDelay(true));
      } else {
        socket.destroy();
        reject(new ProxyError(proxy, { status, target }));
      }
    });
    request.once("error", (cause) => reject(signal.aborted ? signal.reason : new ProxyError(proxy, { cause })));
    request.end();
  });
}
