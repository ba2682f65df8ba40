import type { IncomingMessage, Server } from "node:http";
import { createServer, request } from "node:http";
import { createServer as createSecureServer } from "node:https";
import type { AddressInfo, Socket } from "node:net";
import { connect } from "node:net";
import type { Duplex } from "node:stream";

/** A proxy on loopback that stands in for a company's proxy to the internet. */
export interface TestProxy {
  /** URL of the proxy without credentials. */
  readonly url: string;
  /** Requests so far, such as `CONNECT provider.test:443` or `POST http://provider.test/v1`. */
  readonly requests: string[];
  /** Number of connections made to the proxy. */
  readonly connections: number;
  close(): Promise<void>;
}

/**
 * Starts a proxy for CONNECT and for requests in absolute form.
 *
 * @param options.routes the loopback port behind each `host:port`. Any other target gets 502
 * @param options.credentials required of every client, as `user:password`
 * @param options.tls use TLS with clients
 * @param options.silent accept connections but never respond
 */
export async function startProxy(options: {
  routes: Record<string, number>;
  credentials?: string;
  tls?: { key: string; cert: string };
  silent?: boolean;
}): Promise<TestProxy> {
  const requests: string[] = [];
  const sockets = new Set<Duplex>();
  let connections = 0;
  const server: Server = options.tls ? createSecureServer(options.tls) : createServer();

  /** The port behind the target, or the status that refuses it. */
  function route({ method, url, headers }: IncomingMessage, target: string): { port: number } | { status: number } {
    requests.push(`${method} ${url}`);
    const expected = options.credentials && `Basic ${Buffer.from(options.credentials).toString("base64")}`;
    if (expected && headers["proxy-authorization"] !== expected) return { status: 407 };
    const port = options.routes[target];
    return port === undefined ? { status: 502 } : { port };
  }

  server.on("connection", (socket: Socket) => {
    connections += 1;
    sockets.add(socket.on("error", () => undefined));
  });
  server.on("connect", (incoming, client: Duplex) => {
    if (options.silent) return;
    const routed = route(incoming, incoming.url ?? "");
    if ("status" in routed) return client.end(`HTTP/1.1 ${routed.status} Refused\r\nContent-Length: 0\r\n\r\n`);
    const upstream = connect(routed.port, "127.0.0.1", () => {
      client.write("HTTP/1.1 200 Connection established\r\n\r\n");
      upstream.pipe(client).pipe(upstream);
    });
    sockets.add(upstream);
    upstream.on("error", () => client.destroy()).on("close", () => client.destroy());
    client.on("error", () => upstream.destroy()).on("close", () => upstream.destroy());
  });
  server.on("request", (incoming, response) => {
    if (options.silent) return;
    const { host, port, pathname, search } = new URL(incoming.url ?? "");
    const routed = route(incoming, port ? host : `${host}:80`);
    if ("status" in routed) return response.writeHead(routed.status).end();
    const { "proxy-authorization": _, ...headers } = incoming.headers;
    const forwarded = request(
      { port: routed.port, method: incoming.method, path: pathname + search, headers },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      },
    );
    forwarded.on("error", () => response.destroy());
    incoming.pipe(forwarded);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `${options.tls ? "https://localhost" : "http://127.0.0.1"}:${port}`,
    requests,
    get connections() {
      return connections;
    },
    close() {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}
