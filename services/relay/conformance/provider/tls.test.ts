import type { ServerOptions } from "node:https";
import { createServer } from "node:https";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { ForwardProxy, openEgress } from "@agent-backends/kit/egress";
import { CertificateAuthority, createSelfSignedCertificate, startProxy } from "@agent-backends/testing";
import { listenOnLoopback } from "@agent-backends/testing/fixtures";
import { afterEach, expect, onTestFinished, test } from "vitest";
import { describeBoth } from "../support/harness.ts";

const usual = getCACertificates();
const stream = `data: {"choices":[{"index":0,"delta":{"content":"secret"}}]}\n\ndata: [DONE]\n\n`;
const own = createSelfSignedCertificate("localhost");
const others = createSelfSignedCertificate("provider.example");
let asked = 0;

async function startProvider(certificate: ServerOptions): Promise<string> {
  const server = createServer(certificate, (request, response) => {
    asked += 1;
    request.resume();
    response.writeHead(200, { "Content-Type": "text/event-stream" }).end(stream);
  });
  return `https://localhost:${new URL(await listenOnLoopback(server)).port}/v1`;
}

const ownUrl = await startProvider(own);
const othersUrl = await startProvider(others);
afterEach(() => {
  setDefaultCACertificates(usual);
  asked = 0;
});

const untrusted = {
  type: "RUN_ERROR",
  message: "The model provider could not be reached: its certificate is not trusted.",
};

describeBoth("a provider behind TLS", (bench) => {
  test("with an untrusted certificate gets no request, and the run fails", async () => {
    await bench.restart({ baseUrl: ownUrl });
    expect((await bench.run()).at(-1)).toEqual(untrusted);
    expect(asked).toBe(0);
  });

  test("whose certificate is for another name gets no request either", async () => {
    setDefaultCACertificates([...usual, others.cert]);
    await bench.restart({ baseUrl: othersUrl });
    expect((await bench.run()).at(-1)).toEqual(untrusted);
    expect(asked).toBe(0);
  });

  test("whose certificate is trusted answers", async () => {
    setDefaultCACertificates([...usual, own.cert]);
    await bench.restart({ baseUrl: ownUrl });
    for (let run = 1; run <= 2; run += 1) {
      expect((await bench.run()).at(-1)?.type).toBe("RUN_FINISHED");
      expect(asked).toBe(run);
    }
  });

  test("that wants a client certificate answers through a proxy, whose tunnel is kept, and which errors name", async () => {
    const company = new CertificateAuthority();
    onTestFinished(() => company.close());
    const client = company.issue("client");
    const certificate = { ...company.issue("provider.test"), ca: company.authority.cert, requestCert: true };
    const { port } = new URL(await startProvider(certificate));
    const proxy = await startProxy({ routes: { "provider.test:443": Number(port) }, credentials: "jo:p@ss" });
    const egress = await openEgress({
      HTTPS_PROXY: new ForwardProxy(proxy.url.replace("://", "://jo:p%40ss@")),
      NODE_EXTRA_CA_CERTS: company.authority.certFile,
      ...{ LLM_TLS_CERT: client.certFile, LLM_TLS_KEY: client.keyFile },
    });
    await bench.restart({ baseUrl: "https://provider.test/v1", egress });
    for (let run = 1; run <= 2; run += 1) expect((await bench.run()).at(-1)?.type).toBe("RUN_FINISHED");
    expect(proxy.requests).toEqual(["CONNECT provider.test:443"]);
    await proxy.close();
    const message = "The model provider could not be reached: this service's proxy can't be reached.";
    expect((await bench.run()).at(-1)).toEqual({ type: "RUN_ERROR", message });
    const log = JSON.stringify(bench.relay.log);
    expect(log).toContain(`The proxy ${proxy.url} could not be reached`);
    expect(log).not.toMatch(/p@ss|p%40ss/);
  });

  test("that is expected but missing fails the run", async () => {
    await bench.restart({ baseUrl: bench.provider.baseUrl.replace("http:", "https:") });
    expect((await bench.run()).at(-1)).toEqual({
      type: "RUN_ERROR",
      message: "The model provider could not be reached.",
    });
  });
});
