import { createServer as createSecureServer } from "node:https";
import type { Server } from "node:net";
import { createServer } from "node:net";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import type { ScriptedAnswer, ScriptedProvider } from "@agent-backends/testing";
import { answer, createSelfSignedCertificate, startScriptedProvider } from "@agent-backends/testing";
import { listenOnLoopback } from "@agent-backends/testing/fixtures";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { ProviderError } from "../errors/provider-error.ts";
import { startOfflineProvider } from "../offline/start-offline-provider.ts";
import { Provider } from "../provider.ts";
import { checkProvider } from "./check-provider.ts";
import { diagnoseSilence } from "./failure.ts";
import { ProviderStatus } from "./provider-status.ts";

const apiKey = "sk-secret-0123456789";
const chat = { use: "chat", name: "gpt-4o", variable: "RELAY_MODEL" } as const;
const embeddings = { use: "embeddings", name: "text-embedding-3-small", variable: "EMBEDDING_MODEL" } as const;

let provider: ScriptedProvider;
let nowMs = 1_000_000;
beforeEach(async () => {
  provider = await startScriptedProvider();
});
afterEach(async () => {
  await provider.close();
});

const createStatus = (
  baseUrl = provider.baseUrl,
  models: ConstructorParameters<typeof ProviderStatus>[0]["models"] = [chat],
) => new ProviderStatus({ provider: new Provider({ baseUrl, apiKey }), models, now: () => nowMs });

async function readReport(status: ProviderStatus) {
  await status.refresh();
  return status.report();
}

const listen = async (server: Server) => new URL(await listenOnLoopback(server, onTestFinished)).host;

describe("the provider's report", () => {
  test("is checking at first, and ok once the key is accepted, without using tokens", async () => {
    const status = createStatus(provider.baseUrl, [chat, embeddings]);
    const host = new URL(provider.baseUrl).host;
    expect(status.report()).toEqual({
      status: "checking",
      host,
      models: { chat: "gpt-4o", embeddings: "text-embedding-3-small" },
    });
    expect(await readReport(status)).toMatchObject({
      status: "ok",
      host,
      offline: false,
      checkedAt: new Date(nowMs).toISOString(),
    });
    expect(new Set(provider.requests.map(({ method, url }) => `${method} ${url}`))).toEqual(
      new Set(["GET /v1/models"]),
    );
  });

  test("names the offline provider, whatever the model", async () => {
    const offline = await startOfflineProvider();
    expect(await readReport(createStatus(offline.baseUrl))).toMatchObject({ status: "ok", offline: true });
    await offline.close();
  });

  test.each<[string, ScriptedAnswer, object]>([
    ["a wrong key", answer.error(401, `No such key: ${apiKey}`), { code: "key_refused", fix: "LLM_API_KEY=your-key" }],
    ["a wrong key, as Gemini says it", answer.error(400, "API key not valid."), { code: "key_refused" }],
    ["a key that may not", answer.error(403, "No."), { code: "forbidden", fault: "configuration" }],
    ["a used up rate", answer.rateLimited(20), { code: "limited", fault: "provider" }],
    ["a failure of its own", answer.error(500, "at /srv/app.js:1"), { code: "provider_error", fault: "provider" }],
    ["a redirect", answer.status(301, "", { location: "https://elsewhere.example" }), { code: "redirect" }],
    ["a web page", answer.html(200), { code: "not_a_provider", fault: "configuration" }],
  ])("names %s, without the key", async (_what, script, expected) => {
    provider.scriptModels(script);
    const report = await readReport(createStatus());
    expect(report).toMatchObject({ status: "degraded", ...expected });
    expect(report.detail).toContain(new URL(provider.baseUrl).host);
    expect(JSON.stringify(report)).not.toMatch(/sk-secret|\/srv|elsewhere/);
  });

  test("names a port at which nothing listens", async () => {
    const server = createServer();
    const host = await listen(server);
    server.close();
    expect(await readReport(createStatus(`http://${host}/v1`))).toMatchObject({
      status: "degraded",
      code: "nothing_listens",
      detail: `Nothing listens at ${host}: start the provider there, or set LLM_BASE_URL to where it is and restart.`,
    });
  });

  test("names a certificate that is not trusted, and a port without TLS", async () => {
    const host = await listen(createSecureServer(createSelfSignedCertificate("localhost")));
    expect(await readReport(createStatus(`https://${host}/v1`))).toMatchObject({ code: "untrusted_certificate" });
    expect(await readReport(createStatus(provider.baseUrl.replace("http:", "https:")))).toMatchObject({
      code: "no_tls",
      fix: `LLM_BASE_URL=${provider.baseUrl}`,
    });
  });

  test("names a certificate that has expired, which no authority can mend", () => {
    expect(diagnoseSilence({ code: "CERT_HAS_EXPIRED" }, "https://llm.example.com/v1")).toEqual({
      code: "untrusted_certificate",
      fault: "provider",
      detail:
        "The certificate of llm.example.com has expired or isn't valid yet (CERT_HAS_EXPIRED): it must be renewed there, unless this machine's clock is wrong.",
    });
  });

  test("names a provider that asks for a client certificate, and one that speaks only TLS", async () => {
    const own = createSelfSignedCertificate("localhost");
    const usual = getCACertificates("default");
    setDefaultCACertificates([...usual, own.cert]);
    onTestFinished(() => setDefaultCACertificates(usual));
    const asksForOne = { ...own, requestCert: true, rejectUnauthorized: true };
    const host = (await listen(createSecureServer(asksForOne))).replace("127.0.0.1", "localhost");
    expect(await readReport(createStatus(`https://${host}/v1`))).toMatchObject({
      code: "client_certificate",
      fix: "LLM_TLS_CERT=/path/to/client.pem",
    });
    expect(await readReport(createStatus(`http://${host}/v1`))).toMatchObject({
      code: "unreachable",
      fix: `LLM_BASE_URL=https://${host}/v1`,
    });
  });

  test("names one that asks for a client certificate as nginx does", async () => {
    const title = "400 No required SSL certificate was sent";
    const page = answer.status(400, `<html>\r\n<head><title>${title}</title></head>`, { "Content-Type": "text/html" });
    provider.scriptModels(page);
    expect(await readReport(createStatus())).toMatchObject({ code: "client_certificate", fault: "configuration" });
  });

  test("names an unknown host, without credentials and paths of the address", async () => {
    const report = await readReport(createStatus("https://user:pass@provider.invalid/private-token/v1?key=k"));
    expect(report).toMatchObject({ status: "degraded", code: "unknown_host", host: "provider.invalid" });
    expect(JSON.stringify(report)).not.toMatch(/user|pass|token|key=k/);
  });

  test.each([
    ["never answers", answer.hang()],
    ["never ends its answer", answer.bytes(["{"], { end: "hang" })],
  ])("names a provider that %s, after its deadline", async (_what, script) => {
    provider.scriptModels(script);
    const { signal } = new AbortController();
    const check = await checkProvider(new Provider({ baseUrl: provider.baseUrl, apiKey }), { signal, timeoutMs: 20 });
    expect(check).toMatchObject({ kind: "failed", failure: { code: "timed_out", fault: "provider" } });
  });

  test.each([
    ["has no list of models", answer.error(404, "Not found"), "has no list of models"],
    ["may not be asked for them", answer.error(405, "Not allowed"), "has no list of models"],
    ["gives them to anyone", answer.models("gpt-4o"), "lists its models to anyone"],
  ])("leaves the key unproven if the provider %s, until a call succeeds", async (_what, script, words) => {
    provider.scriptModels(script);
    const status = createStatus();
    expect(await readReport(status)).toMatchObject({ status: "unproven", detail: expect.stringContaining(words) });
    status.succeeded("gpt-4o");
    expect(status.report().status).toBe("ok");
  });

  test("names the path that an address without one most likely lacks, before anybody has asked a model", async () => {
    const { origin, host } = new URL(provider.baseUrl);
    const { detail } = await readReport(createStatus(origin));
    expect(detail).toMatch(
      new RegExp(`^${host} answers, but has no list of models: .* LLM_BASE_URL=http://${host}/v1$`),
    );
  });

  test("names a model that is not offered and one that is, until a call of it succeeds", async () => {
    provider.scriptModels((request) =>
      request.headers.authorization ? answer.models("gpt-4o-mini", "embed-large", "chat") : answer.error(401, "No key"),
    );
    const status = createStatus(provider.baseUrl, [{ ...chat, name: "gpt-5o" }]);
    expect(await readReport(status)).toMatchObject({
      status: "degraded",
      code: "unknown_model",
      detail: expect.stringMatching(/^gpt-5o is not among the models that .* offers: set RELAY_MODEL/),
      fix: "RELAY_MODEL=gpt-4o-mini",
    });
    status.succeeded("gpt-5o");
    expect(status.report().status).toBe("ok");
    expect(await readReport(createStatus(provider.baseUrl, [embeddings]))).toMatchObject({
      fix: "EMBEDDING_MODEL=embed-large",
    });
  });
});

describe("the provider is checked", () => {
  test("once for concurrent reports, and again when the result is old", async () => {
    const status = createStatus();
    const requests = () => provider.requests.filter(({ headers }) => headers.authorization).length;
    for (let count = 0; count < 5; count += 1) status.report();
    await status.refresh();
    status.report();
    expect(requests()).toBe(1);
    nowMs += 60_000;
    status.report();
    await status.refresh();
    expect(requests()).toBe(2);
  });

  test("more often while it fails", async () => {
    provider.scriptModels([answer.error(503, "Busy"), answer.models("gpt-4o")]);
    const status = createStatus();
    expect((await readReport(status)).status).toBe("degraded");
    nowMs += 10_000;
    status.report();
    await status.refresh();
    expect(status.report().status).toBe("unproven");
  });

  test("not while calls succeed", async () => {
    const status = createStatus();
    await status.refresh();
    const { length } = provider.requests;
    nowMs += 59_000;
    status.succeeded("gpt-4o");
    nowMs += 59_000;
    expect(status.report().status).toBe("ok");
    expect(provider.requests).toHaveLength(length);
  });
});

describe("a call that fails", () => {
  const busy = new ProviderError("http_status", "Rate limit reached.", { status: 429 });
  const refused = new ProviderError("refused", "No such key.", { status: 401 });

  test("is reported at once, until another succeeds", async () => {
    const status = createStatus();
    await status.refresh();
    status.failed(busy, "gpt-4o");
    expect(status.report()).toMatchObject({ status: "degraded", code: "limited" });
    await status.refresh();
    expect(status.report()).toMatchObject({ status: "degraded", code: "limited" });
    status.succeeded("gpt-4o");
    expect(status.report().status).toBe("ok");
  });

  test("of one model is not cleared by another model's success, unless it was about the shared key", async () => {
    const status = createStatus(provider.baseUrl, [chat, embeddings]);
    await status.refresh();
    status.failed(busy, "gpt-4o");
    status.succeeded("text-embedding-3-small");
    expect(status.report()).toMatchObject({ status: "degraded", code: "limited" });
    status.failed(refused, "gpt-4o");
    status.succeeded("text-embedding-3-small");
    expect(status.report().status).toBe("ok");
  });

  test("is forgotten after some minutes without calls", async () => {
    const status = createStatus();
    status.failed(busy, "gpt-4o");
    nowMs += 300_000;
    expect((await readReport(status)).status).toBe("ok");
  });

  test("about the key is kept if the list of models is public, and checked if it is not", async () => {
    const status = createStatus();
    status.failed(refused, "gpt-4o");
    expect((await readReport(status)).status).toBe("ok");
    provider.scriptModels(answer.models("gpt-4o"));
    status.failed(refused, "gpt-4o");
    expect(await readReport(status)).toMatchObject({ status: "degraded", code: "key_refused" });
  });

  test("by its own fault, or by a broken stream, changes nothing", async () => {
    const status = createStatus();
    await status.refresh();
    status.failed(new ProviderError("http_status", "Too long.", { status: 400 }), "gpt-4o");
    status.failed(new ProviderError("cut", "Broke off."), "gpt-4o");
    status.failed(new Error("Ours."), "gpt-4o");
    expect(status.report().status).toBe("ok");
  });

  test("names the model that the provider does not know", () => {
    const status = createStatus();
    status.failed(new ProviderError("http_status", "No such model.", { status: 404 }), "gpt-4o");
    expect(status.report()).toMatchObject({
      code: "unknown_model",
      detail: expect.stringContaining("gpt-4o: set RELAY_MODEL"),
    });
  });
});
