import { createServer } from "node:http";
import { createServer as createSecurePage } from "node:https";
import type { Server } from "node:net";
import { connect } from "node:net";
import { resolve } from "node:path";
import { createServer as createSecureServer } from "node:tls";
import {
  CertificateAuthority,
  runToExit,
  serviceMains,
  startProxy,
  startScriptedProvider,
  startService,
} from "@agent-backends/testing";
import { createTemporaryFolder, listenOnLoopback } from "@agent-backends/testing/fixtures";
import { expect, onTestFinished, test } from "vitest";

const main = resolve(serviceMains.knowledge);

const listen = async (server: Server) => Number(new URL(await listenOnLoopback(server, onTestFinished)).port);

test("behind a proxy, a private authority and mutual TLS it ingests a page and answers", async () => {
  const company = new CertificateAuthority();
  onTestFinished(() => company.close());
  const folder = await createTemporaryFolder(onTestFinished);
  const provider = await startScriptedProvider();
  onTestFinished(() => provider.close());
  const tls = { ...company.issue("provider.test"), ca: company.authority.cert, requestCert: true };
  const secureProvider = createSecureServer(tls, (socket) => {
    socket.on("error", () => undefined);
    socket.pipe(connect(Number(new URL(provider.baseUrl).port), "127.0.0.1")).pipe(socket);
  });
  const page = createServer((_request, response) => response.end("Refunds take five days."));
  const [known, unknown] = ["93.184.215.15", "93.184.215.16"].map((address) =>
    createSecurePage(
      { ...company.issue(address), ...{ ca: company.authority.cert, requestCert: true } },
      (_request, response) => response.end("Parcels take two days."),
    ),
  );
  const routes = {
    "provider.test:443": await listen(secureProvider),
    "93.184.215.14:80": await listen(page),
    "93.184.215.15:443": await listen(known as Server),
    "93.184.215.16:443": await listen(unknown as Server),
  };
  const proxy = await startProxy({ routes, credentials: "jo:p@ss" });
  onTestFinished(() => proxy.close());

  const proxyUrl = proxy.url.replace("://", "://jo:p%40ss@");
  const client = company.issue("client");
  const service = await startService(main, {
    KNOWLEDGE_STORE: folder,
    LLM_BASE_URL: "https://provider.test/v1",
    ...{ https_proxy: proxyUrl, HTTP_PROXY: proxyUrl, NODE_EXTRA_CA_CERTS: company.authority.certFile },
    ...{ LLM_TLS_CERT: client.certFile, LLM_TLS_KEY: client.keyFile },
    ...{ KNOWLEDGE_URL_TLS_CERT: client.certFile, KNOWLEDGE_URL_TLS_KEY: client.keyFile },
    KNOWLEDGE_URL_TLS_HOSTS: "93.184.215.15",
  });
  const post = async (path: string, body: object) => {
    const headers = { "Content-Type": "application/json" };
    return (await fetch(service.baseUrl + path, { method: "POST", headers, body: JSON.stringify(body) })).json();
  };
  const pages = ["http://93.184.215.14/refunds", "https://93.184.215.15/parcels"];
  const sources = [...pages, "http://10.0.0.7/", "https://93.184.215.16/"];
  expect(await post("/api/tools/ingest", { sources })).toMatchObject({
    saved: pages.map((url) => ({ source: `url:${url}` })),
    errors: [{ code: "forbidden_address" }, { code: "unreachable" }],
  });
  const messages = [{ role: "user", content: "How long do refunds take?" }];
  expect(await post("/api/agents/knowledge/generate", { messages })).toMatchObject({ content: /^Hello/ });
  expect(new Set(proxy.requests)).toEqual(new Set(Object.keys(routes).map((address) => `CONNECT ${address}`)));
  expect(await service.end()).toBe(0);
  expect(JSON.stringify([service.log, service.printed])).not.toMatch(/p@ss|p%40ss/);
});

test("malformed variables stop the start with a line each", async () => {
  const proxies = { HTTPS_PROXY: "socks5://jo:secret@proxy.test", NO_PROXY: "10.0.0.0/99" };
  const { code, lines } = await runToExit(main, { LLM_API_KEY: "key", ...proxies });
  expect(code).toBe(1);
  expect(lines).toEqual([
    expect.stringMatching(/^HTTPS_PROXY must be the address of an HTTP proxy, such as (?!.*secret)/),
    expect.stringMatching(/^NO_PROXY has an entry that is not a host, 10.0.0.0\/99: /),
  ]);
  const certificate = { LLM_API_KEY: "key", LLM_TLS_CERT: "/nowhere", LLM_TLS_KEY: "/nowhere" };
  expect(await runToExit(main, certificate)).toEqual({
    code: 1,
    lines: ["LLM_TLS_CERT /nowhere can't be read (ENOENT): set it to a PEM file"],
  });
});
