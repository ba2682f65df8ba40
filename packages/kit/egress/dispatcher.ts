import type { SecureContext } from "node:tls";
import type { Dispatcher } from "undici";
import { Agent, buildConnector, Pool, ProxyAgent, fetch as undiciFetch } from "undici";
import type { FindProxy, ForwardProxy } from "./forward-proxy.ts";
import { openTunnel } from "./open-tunnel.ts";

const connectTimeoutMs = 10_000;

/** Creates an undici dispatcher for URLs that the operator configured. Requests go through the matching proxy. */
export function createDispatcher(findProxy: FindProxy, options: Agent.Options = {}): Dispatcher {
  return new Agent({
    ...options,
    factory(origin, originOptions: Pool.Options) {
      const target = new URL(origin);
      const proxy = findProxy(target);
      if (proxy === undefined) return new Pool(target, originOptions);
      if (target.protocol === "https:") {
        const connect = createTunnelConnector(proxy, { timeoutMs: connectTimeoutMs });
        return new Pool(target, { ...originOptions, connect });
      }
      const { authorization: token } = proxy;
      // Proxies expect plain HTTP requests in absolute form, and allow CONNECT to few ports other than 443.
      return new ProxyAgent({ ...originOptions, uri: proxy.url.href, ...(token && { token }), proxyTunnel: false });
    },
  });
}

/** A `fetch` that uses such a dispatcher. */
export function createFetch(findProxy: FindProxy): typeof fetch {
  const dispatcher = createDispatcher(findProxy);
  // undici's types describe the same interface as those of Node.js's own fetch, but aren't assignable to them.
  return ((input: string, init) => undiciFetch(input, { ...(init as object), dispatcher })) as typeof fetch;
}

/** A connector for undici that opens a tunnel for each connection. `hostname` may be an IP address that the caller has checked. */
export function createTunnelConnector(
  proxy: ForwardProxy,
  { timeoutMs, signal, ...tls }: { timeoutMs: number; signal?: AbortSignal; secureContext?: SecureContext | undefined },
): buildConnector.connector {
  const startTls = buildConnector({ timeout: timeoutMs, ...tls });
  return (target, callback) => {
    const deadline = AbortSignal.timeout(timeoutMs);
    const { hostname, protocol } = target;
    const secure = protocol === "https:";
    const host = hostname.replace(/^\[|\]$/g, "");
    const port = Number(target.port || (secure ? 443 : 80));
    openTunnel(proxy, { host, port }, signal ? AbortSignal.any([signal, deadline]) : deadline).then(
      (httpSocket) => (secure ? startTls({ ...target, httpSocket }, callback) : callback(null, httpSocket)),
      (error) => callback(error, null),
    );
  };
}
