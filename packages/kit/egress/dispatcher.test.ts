import type { Server } from "node:http";
import { createServer } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { CertificateAuthority, startProxy } from "@agent-backends/testing";
import { listenOnLoopback } from "@agent-backends/testing/fixtures";
import { expect, onTestFinished, test } from "vitest";
import { createFetch } from "./dispatcher.ts";
import { openEgress } from "./egress.ts";
import { ForwardProxy } from "./forward-proxy.ts";

async function startServer(server: Server) {
  let connections = 0;
  server.on("connection", () => (connections += 1));
  server.on("request", ({ method, headers, url }, response) => response.end(`${method} ${headers.host} ${url}`));
  return { port: Number(new URL(await listenOnLoopback(server, onTestFinished)).port), connections: () => connections };
}

test("https goes through a tunnel and http in absolute form, both over connections that are kept", async () => {
  const company = new CertificateAuthority();
  onTestFinished(() => company.close());
  await openEgress({ NODE_EXTRA_CA_CERTS: company.authority.certFile });
  const secure = await startServer(createSecureServer(company.issue("site.test")));
  const plain = await startServer(createServer());
  const routes = { "site.test:443": secure.port, "site.test:80": plain.port };
  const proxy = await startProxy({ routes, credentials: "jo:p@ss" });
  onTestFinished(() => proxy.close());
  const forwardProxy = new ForwardProxy(proxy.url.replace("://", "://jo:p%40ss@"));
  const fetchText = async (url: string) => (await createdFetch(url, { method: "POST", body: "{}" })).text();
  const createdFetch = createFetch(() => forwardProxy);
  for (let n = 0; n < 2; n += 1) {
    expect(await fetchText("https://site.test/a?b")).toBe("POST site.test /a?b");
    expect(await fetchText("http://site.test/a?b")).toBe("POST site.test /a?b");
  }
  const post = "POST http://site.test/a?b";
  expect(proxy.requests).toEqual(["CONNECT site.test:443", post, post]);
  expect(secure.connections()).toBe(1);
  expect(proxy.connections).toBe(2);
});

test("a proxy that refuses is named, and what needs no proxy is fetched without", async () => {
  const proxy = await startProxy({ routes: {}, credentials: "jo:p@ss" });
  onTestFinished(() => proxy.close());
  const { port } = await startServer(createServer());
  const forwardProxy = new ForwardProxy(proxy.url);
  const createdFetch = createFetch(({ hostname }) => (hostname === "127.0.0.1" ? undefined : forwardProxy));
  await expect(createdFetch("https://site.test/")).rejects.toMatchObject({
    cause: {
      message: `The proxy ${proxy.url} answered 407 Proxy Authentication Required to a request for site.test:443.`,
    },
  });
  await expect(createdFetch("http://site.test/")).rejects.toMatchObject({ cause: { message: /407/ } });
  expect(await (await createdFetch(`http://127.0.0.1:${port}/`)).text()).toBe(`GET 127.0.0.1:${port} /`);
});
