import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { RequestListener, Server } from "node:http";
import { createServer } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { join } from "node:path";
import type { TLSSocket } from "node:tls";
import type { TestProxy } from "@agent-backends/testing";
import { CertificateAuthority, startProxy } from "@agent-backends/testing";
import { createTemporaryFolder, listenOnLoopback } from "@agent-backends/testing/fixtures";
import { expect, onTestFinished, test } from "vitest";
import type { FindCertificate } from "../egress/index.ts";
import { ForwardProxy, openEgress } from "../egress/index.ts";
import { parseNoProxy } from "../egress/no-proxy.ts";
import { safeFetch } from "./safe-fetch.ts";

const publicAddress = "93.184.215.14";

async function serve(server: Server, listener: RequestListener): Promise<number> {
  server.on("request", listener);
  return Number(new URL(await listenOnLoopback(server, onTestFinished)).port);
}

async function startRoutedProxy(options: Parameters<typeof startProxy>[0]): Promise<TestProxy> {
  const proxy = await startProxy(options);
  onTestFinished(() => proxy.close());
  return proxy;
}

const folder = await createTemporaryFolder();

/** Fetches through a proxy, with these addresses for each name. Names without any don't resolve. */
async function fetchThrough(
  proxy: { url: string },
  url: string,
  {
    names = {},
    allowPrivate = false,
    noProxy = "",
    ...others
  }: {
    names?: Record<string, string[]>;
    allowPrivate?: boolean;
    noProxy?: string;
    findCertificate?: FindCertificate | undefined;
  } = {},
) {
  const bypasses = parseNoProxy(noProxy);
  const { path } = await safeFetch(url, {
    path: join(folder, randomUUID()),
    ...others,
    ...{ allowPrivate, timeoutMs: 5_000, maxBytes: 10_000 },
    findProxy: (target) => (bypasses(target) ? undefined : new ForwardProxy(proxy.url)),
    async resolveHost(hostname) {
      const addresses = names[hostname];
      if (!addresses) throw Object.assign(new Error("not found"), { code: "ENOTFOUND" });
      return addresses;
    },
  });
  return readFile(path, "utf8");
}

const names = { "page.test": [publicAddress], "inside.test": ["10.0.0.7"] };

test("the proxy gets the checked address, the page's server its name", async () => {
  const company = new CertificateAuthority();
  onTestFinished(() => company.close());
  await openEgress({ NODE_EXTRA_CA_CERTS: company.authority.certFile });
  const greet: RequestListener = (request, response) => response.end(`hello ${request.headers.host}`);
  const secure = await serve(createSecureServer(company.issue("page.test")), greet);
  const plain = await serve(createServer(), greet);
  const routes = { [`${publicAddress}:443`]: secure, [`${publicAddress}:8080`]: plain };
  const proxy = await startRoutedProxy({ routes, credentials: "jo:p@ss" });
  const withCredentials = { url: proxy.url.replace("://", "://jo:p%40ss@") };
  expect(await fetchThrough(withCredentials, "https://page.test/", { names })).toBe("hello page.test");
  expect(await fetchThrough(withCredentials, "http://page.test:8080/", { names })).toBe("hello page.test:8080");
  expect(proxy.requests).toEqual([`CONNECT ${publicAddress}:443`, `CONNECT ${publicAddress}:8080`]);
});

test.each(["http://inside.test/", "https://10.0.0.7/", "http://127.0.0.1/", "http://[::ffff:10.0.0.7]/"])(
  "%s is private and refused before the proxy is asked",
  async (url) => {
    const proxy = await startRoutedProxy({ routes: {} });
    await expect(fetchThrough(proxy, url, { names })).rejects.toMatchObject({ code: "forbidden_address" });
    await expect(fetchThrough(proxy, "http://169.254.169.254/", { allowPrivate: true })).rejects.toThrow(/metadata/);
    expect(proxy.connections).toBe(0);
  },
);

test.each(["", "page.test,other.test"])(
  "only pages that may see the client certificate get it, also after a redirect",
  async (noProxy) => {
    const company = new CertificateAuthority();
    onTestFinished(() => company.close());
    const client = company.issue("client");
    const egress = await openEgress({
      NODE_EXTRA_CA_CERTS: company.authority.certFile,
      KNOWLEDGE_URL_TLS_HOSTS: parseNoProxy("page.test"),
      ...{ KNOWLEDGE_URL_TLS_CERT: client.certFile, KNOWLEDGE_URL_TLS_KEY: client.keyFile },
    });
    const tls = { ca: company.authority.cert, requestCert: true, rejectUnauthorized: false };
    const nameClient: RequestListener = ({ socket, url }, response) => {
      const subject = (socket as TLSSocket).getPeerCertificate().subject as { CN: string } | undefined;
      if (url === "/other") response.writeHead(302, { Location: `https://other.test:${otherPort}/` });
      response.end(subject?.CN ?? "nobody");
    };
    const otherPort = await serve(createSecureServer({ ...company.issue("other.test"), ...tls }), nameClient);
    const port = await serve(createSecureServer({ ...company.issue("page.test"), ...tls }), nameClient);
    const routes = { [`127.0.0.1:${port}`]: port, [`127.0.0.1:${otherPort}`]: otherPort };
    const proxy = await startRoutedProxy({ routes });
    const names = { "page.test": ["127.0.0.1"], "other.test": ["127.0.0.1"] };
    const options = { names, allowPrivate: true, noProxy, findCertificate: egress.findPageCertificate };
    expect(await fetchThrough(proxy, `https://page.test:${port}/`, options)).toBe("client");
    expect(await fetchThrough(proxy, `https://page.test:${port}/other`, options)).toBe("nobody");
    expect(proxy.connections).toBe(noProxy === "" ? 3 : 0);
  },
);

test("a redirect to a private address is refused", async () => {
  const redirect: RequestListener = (request, response) =>
    response.writeHead(302, { Location: `http://${request.url === "/name" ? "inside.test" : "10.0.0.7"}/` }).end();
  const port = await serve(createServer(), redirect);
  const proxy = await startRoutedProxy({ routes: { [`${publicAddress}:80`]: port, "10.0.0.7:80": port } });
  for (const path of ["name", "address"]) {
    const fetched = fetchThrough(proxy, `http://page.test/${path}`, { names });
    await expect(fetched).rejects.toMatchObject({ code: "forbidden_address" });
  }
  expect(proxy.requests).toEqual([`CONNECT ${publicAddress}:80`, `CONNECT ${publicAddress}:80`]);
});

test("a name that resolves to a private address for the proxy leads to the public one that was checked", async () => {
  const outside = await serve(createServer(), (_request, response) => response.end("outside"));
  const inside = await serve(createServer(), (_request, response) => response.end("inside"));
  const routes = { [`${publicAddress}:80`]: outside, "rebinding.test:80": inside };
  const proxy = await startRoutedProxy({ routes });
  const rebinding = { names: { "rebinding.test": [publicAddress] } };
  expect(await fetchThrough(proxy, "http://rebinding.test/", rebinding)).toBe("outside");
});

test("NO_PROXY bypasses the proxy by name, and by the address behind a name", async () => {
  const port = await serve(createServer(), (_request, response) => response.end("direct"));
  const proxy = await startRoutedProxy({ routes: {} });
  for (const noProxy of ["wiki.test", "127.0.0.0/8"]) {
    const options = { names: { "wiki.test": ["127.0.0.1"] }, allowPrivate: true, noProxy };
    expect(await fetchThrough(proxy, `http://wiki.test:${port}/`, options)).toBe("direct");
  }
});

test("a failing proxy is named in the cause, not to the user", async () => {
  const proxy = await startRoutedProxy({ routes: {} });
  const refused = fetchThrough(proxy, "http://page.test/", { names });
  await expect(refused).rejects.toMatchObject({
    code: "unreachable",
    message: "The address could not be reached: this service's proxy refused the connection with status 502.",
    cause: { message: `The proxy ${proxy.url} answered 502 Bad Gateway to a request for ${publicAddress}:80.` },
  });
  const unreachable = fetchThrough({ url: "http://127.0.0.1:9" }, "http://page.test/", { names });
  await expect(unreachable).rejects.toThrow("The address could not be reached: this service's proxy can't be reached.");
});

test("a name that only the proxy could resolve is refused with the reason", async () => {
  const proxy = await startRoutedProxy({ routes: {} });
  await expect(fetchThrough(proxy, "http://unknown.test/")).rejects.toThrow(/needs DNS for public names/);
  expect(proxy.connections).toBe(0);
});
