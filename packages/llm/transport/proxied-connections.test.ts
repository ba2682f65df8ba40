import type { Server } from "node:http";
import { createServer } from "node:http";
import type { ServerOptions } from "node:https";
import { createServer as createSecureServer } from "node:https";
import type { TlsOptions } from "node:tls";
import { directEgress, ForwardProxy, openEgress } from "@agent-backends/kit/egress";
import { CertificateAuthority, startProxy } from "@agent-backends/testing";
import { listenOnLoopback } from "@agent-backends/testing/fixtures";
import { afterAll, expect, onTestFinished, test } from "vitest";
import type { ProviderError } from "../errors/provider-error.ts";
import { Provider } from "../provider.ts";
import { ProviderStatus } from "../status/provider-status.ts";

const company = new CertificateAuthority();
const providerCertificate = company.issue("provider.test");
afterAll(() => company.close());
await openEgress({ NODE_EXTRA_CA_CERTS: company.authority.certFile });

/** A provider that answers "hello" and what it knows of its client. */
async function startProvider(tls?: ServerOptions & TlsOptions) {
  const server: Server = tls ? createSecureServer(tls) : createServer();
  let connections = 0;
  const { promise: answered, resolve: tellAnswered } = Promise.withResolvers<void>();
  server.on("connection", () => (connections += 1));
  server.on("request", (request, response) => {
    response.setHeader("Content-Type", "text/event-stream");
    response.on("finish", tellAnswered);
    request.resume().on("end", () => response.end(`hello ${request.headers.host} ${request.url}`));
  });
  const port = Number(new URL(await listenOnLoopback(server, onTestFinished)).port);
  return { port, connections: () => connections, answered };
}

async function startRoutedProxy(options: Parameters<typeof startProxy>[0]) {
  const proxy = await startProxy(options);
  onTestFinished(() => proxy.close());
  return proxy;
}

function createProvider(baseUrl: string, proxyUrl: string | undefined, egress = directEgress) {
  const proxy = proxyUrl === undefined ? undefined : new ForwardProxy(proxyUrl);
  const options = { baseUrl, apiKey: "key", connectTimeoutMs: 1_000 };
  const provider = new Provider({ ...options, egress: { ...egress, findProxy: () => proxy } });
  onTestFinished(() => provider.close());
  return provider;
}

function ask(provider: Provider, body = "{}") {
  return new Promise<{ text: string; error?: ProviderError }>((resolve) => {
    let text = "";
    provider.openCompletion(
      { body },
      {
        onBytes: (bytes, start, end) => {
          text += bytes.toString("latin1", start, end);
        },
        onReadEnd: () => undefined,
        onEnd: () => resolve({ text }),
        onFailure: (error) => resolve({ text, error }),
      },
    );
  });
}

const addCredentials = (url: string) => url.replace("://", "://jo:p%40ss@");

test.each([false, true])("requests over TLS share a tunnel (TLS to the proxy itself: %s)", async (isSecureProxy) => {
  const server = await startProvider(providerCertificate);
  const proxy = await startRoutedProxy({
    routes: { "provider.test:443": server.port },
    credentials: "jo:p@ss",
    ...(isSecureProxy && { tls: company.issue("localhost") }),
  });
  const provider = createProvider("https://provider.test/v1", addCredentials(proxy.url));
  for (let n = 0; n < 3; n += 1) {
    expect(await ask(provider, "x".repeat(100_000))).toEqual({ text: "hello provider.test /v1/chat/completions" });
  }
  expect(proxy.requests).toEqual(["CONNECT provider.test:443"]);
  expect(server.connections()).toBe(1);
});

test("plain requests go to the proxy in absolute form, over one connection", async () => {
  const server = await startProvider();
  const proxy = await startRoutedProxy({ routes: { "provider.test:8080": server.port }, credentials: "jo:p@ss" });
  const provider = createProvider("http://provider.test:8080/v1", addCredentials(proxy.url));
  for (let n = 0; n < 2; n += 1) expect((await ask(provider)).text).toMatch(/^hello provider.test:8080 \/v1/);
  const request = "POST http://provider.test:8080/v1/chat/completions";
  expect(proxy.requests).toEqual([request, request]);
  expect(proxy.connections).toBe(1);
});

test.each([
  ["https://provider.test/v1", "407 Proxy Authentication Required to a request for provider.test:443."],
  ["http://provider.test/v1", "407 Proxy Authentication Required to a request for provider.test."],
  ["https://unknown.test/v1", "502 Bad Gateway to a request for unknown.test:443."],
])("a proxy that refuses %s is named to the operator only", async (baseUrl, answer) => {
  const asksForCredentials = baseUrl.includes("provider");
  const proxy = await startRoutedProxy({ routes: {}, ...(asksForCredentials && { credentials: "jo:p@ss" }) });
  const address = proxy.url.replace("://", "://jo:wrong@");
  const provider = createProvider(baseUrl, address);
  const { error } = await ask(provider);
  expect(error?.kind).toBe("unreachable");
  expect(error?.message).toBe(
    `The model provider could not be reached: this service's proxy refused with status ${answer.slice(0, 3)}.`,
  );
  expect(String(error?.cause)).toBe(`ProxyError: The proxy ${proxy.url} answered ${answer}`);
  const status = new ProviderStatus({ provider, models: [] });
  status.failed(error, "model");
  const { code, detail } = status.report();
  status.close();
  expect(code).toBe("proxy_failed");
  expect(detail).toContain(proxy.url);
  expect(detail).not.toMatch(/jo:|wrong/);
});

test.each(["https", "http"])("a proxy that can't be reached for %s is named", async (scheme) => {
  const { error } = await ask(createProvider(`${scheme}://provider.test/v1`, "http://jo:secret@127.0.0.1:9"));
  expect(error?.message).toBe("The model provider could not be reached: this service's proxy can't be reached.");
  expect(String(error?.cause)).toMatch(
    /^ProxyError: The proxy http:\/\/127.0.0.1:9 could not be reached: .*ECONNREFUSED/,
  );
});

test("a proxy that doesn't answer ends with the timeout of connections", async () => {
  const proxy = await startRoutedProxy({ routes: {}, silent: true });
  const { error } = await ask(createProvider("https://provider.test/v1", proxy.url));
  expect(error?.kind).toBe("timed_out");
  expect(String(error?.cause)).toContain(`through the proxy ${proxy.url}`);
});

test("an aborted request closes its half-open tunnel, and the body's bytes are given back", async () => {
  const proxy = await startRoutedProxy({ routes: {}, silent: true });
  const provider = createProvider("https://provider.test/v1", proxy.url);
  await new Promise<void>((resolve) => {
    const body = { length: 2, lend: () => ({ pieces: [Buffer.from("{}")], onWritten: resolve }) };
    const ignore = () => undefined;
    const handler = { onBytes: ignore, onReadEnd: ignore, onEnd: ignore, onFailure: ignore };
    provider.openCompletion({ body }, handler).abort();
  });
});

test("a stream that is paused before its tunnel is open passes nothing on until it is resumed", async () => {
  const server = await startProvider(providerCertificate);
  const proxy = await startRoutedProxy({ routes: { "provider.test:443": server.port } });
  const provider = createProvider("https://provider.test/v1", proxy.url);
  let isPaused = true;
  const text = await new Promise<string>((resolve, reject) => {
    const stream = provider.openCompletion(
      { body: "{}" },
      {
        onBytes: (bytes, start, end) =>
          isPaused ? reject(new Error("paused")) : resolve(bytes.toString("latin1", start, end)),
        onReadEnd: () => undefined,
        onEnd: () => undefined,
        onFailure: reject,
      },
    );
    stream.pause();
    void server.answered.then(() => {
      isPaused = false;
      stream.resume();
    });
  });
  expect(text).toMatch(/^hello/);
});

test("a provider that asks for a client certificate gets the configured one", async () => {
  const client = company.issue("client");
  const egress = await openEgress({ LLM_TLS_CERT: client.certFile, LLM_TLS_KEY: client.keyFile });
  const asksForOne = { ca: company.authority.cert, requestCert: true, rejectUnauthorized: true };
  const server = await startProvider({ ...providerCertificate, ...asksForOne });
  const local = await startProvider({ ...company.issue("localhost"), ...asksForOne });
  const { url } = await startRoutedProxy({ routes: { "provider.test:443": server.port } });
  expect((await ask(createProvider("https://provider.test", url, egress))).text).toMatch(/^hello/);
  expect((await ask(createProvider(`https://localhost:${local.port}`, undefined, egress))).text).toMatch(/^hello/);
  expect((await ask(createProvider("https://provider.test", url))).error?.kind).toBe("unreachable");
});

test("a certificate of an untrusted authority is refused inside the tunnel", async () => {
  const stranger = new CertificateAuthority();
  onTestFinished(() => stranger.close());
  const server = await startProvider(stranger.issue("provider.test"));
  const proxy = await startRoutedProxy({ routes: { "provider.test:443": server.port } });
  const { error } = await ask(createProvider("https://provider.test", proxy.url));
  expect(error?.message).toBe("The model provider could not be reached: its certificate is not trusted.");
});
