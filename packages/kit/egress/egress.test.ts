import { inspect } from "node:util";
import { CertificateAuthority } from "@agent-backends/testing";
import { afterAll, expect, test } from "vitest";
import { z } from "zod";
import { egressVariables, pageVariables, providerVariables, readConfiguration } from "../configuration.ts";
import { openEgress } from "./egress.ts";

const company = new CertificateAuthority();
afterAll(() => company.close());

const schema = z.object({ ...egressVariables, ...pageVariables, ...providerVariables });

const open = async (environment: Record<string, string>) =>
  openEgress(readConfiguration(schema, { LLM_API_KEY: "key", ...environment }));

async function findProxies(environment: Record<string, string>, ...urls: string[]) {
  const { findProxy } = await open(environment);
  return urls.map((url) => findProxy(new URL(url))?.toString());
}

test("each scheme has its own proxy, and this machine's own addresses have none", async () => {
  const variables = { HTTPS_PROXY: "http://secure.corp:3128", HTTP_PROXY: "plain.corp:8080", NO_PROXY: "intern.corp" };
  expect(await findProxies(variables, "https://api.openai.com", "http://example.com", "https://intern.corp")).toEqual([
    "http://secure.corp:3128",
    "http://plain.corp:8080",
    undefined,
  ]);
  expect(await findProxies(variables, "http://localhost:1", "http://127.0.0.2", "http://[::1]")).toEqual([
    ...[undefined, undefined, undefined],
  ]);
  expect(await findProxies({ HTTP_PROXY: "plain.corp" }, "https://example.com")).toEqual([undefined]);
  expect(await findProxies({ HTTP_PROXY: "proxy:3128" }, "http://example.com")).toEqual(["http://proxy:3128"]);
});

test("a variable in lower case wins, as in other programs", async () => {
  const variables = { https_proxy: "https://lower.corp", HTTPS_PROXY: "http://upper.corp", no_proxy: "a.corp" };
  expect(await findProxies(variables, "https://b.corp", "https://a.corp")).toEqual(["https://lower.corp", undefined]);
});

test("credentials are decoded, and shown nowhere", async () => {
  const { findProxy } = await open({ HTTPS_PROXY: "http://jo:p%40ss@proxy.corp:3128" });
  const proxy = findProxy(new URL("https://example.com"));
  expect(proxy?.authorization).toBe(`Basic ${Buffer.from("jo:p@ss").toString("base64")}`);
  expect(`${proxy} ${inspect(proxy)} ${JSON.stringify(proxy)}`).not.toMatch(/jo|p@ss|p%40ss|am86/);
});

const { certFile, keyFile } = company.issue("client");
const other = company.issue("other");

test.each([
  [
    { HTTPS_PROXY: "socks5://jo:secret@proxy.corp" },
    /^HTTPS_PROXY must be the address of an HTTP proxy, such as [^\n]*$/,
  ],
  [{ HTTPS_PROXY: "foo" }, /^HTTPS_PROXY must be the address of an HTTP proxy, such as [^\n]*$/],
  [{ HTTPS_PROXY: "proxy:" }, /^HTTPS_PROXY must be/],
  [{ http_proxy: "http://jo:100%@proxy.corp" }, /^http_proxy must be the address of an HTTP proxy/],
  [{ HTTP_PROXY: "http://proxy.corp/path" }, /^HTTP_PROXY must be/],
  [{ NO_PROXY: "a.corp,10.0.0.0/99" }, /^NO_PROXY has an entry that is no host, 10.0.0.0\/99: list names[^\n]*$/],
  [{ NODE_EXTRA_CA_CERTS: "/nowhere/ca.pem" }, /^NODE_EXTRA_CA_CERTS \/nowhere\/ca.pem can't be read \(ENOENT\)/],
  [{ NODE_EXTRA_CA_CERTS: keyFile }, /^NODE_EXTRA_CA_CERTS \S+ holds no readable certificate/],
  [{ LLM_TLS_CERT: certFile }, /^LLM_TLS_KEY is missing: set it to the file of LLM_TLS_CERT's key$/],
  [{ LLM_TLS_KEY: keyFile }, /^LLM_TLS_CERT is missing/],
  [{ LLM_TLS_CERT: certFile, LLM_TLS_KEY: "/nowhere" }, /^LLM_TLS_KEY \/nowhere can't be read \(ENOENT\)/],
  [{ LLM_TLS_CERT: certFile, LLM_TLS_KEY: other.keyFile }, /are no certificate with its key \(ERR_\w+\): [^\n]*$/],
  [{ KNOWLEDGE_URL_TLS_KEY: keyFile }, /^KNOWLEDGE_URL_TLS_CERT is missing/],
  [{ KNOWLEDGE_URL_TLS_CERT: certFile, KNOWLEDGE_URL_TLS_KEY: keyFile }, /^KNOWLEDGE_URL_TLS_HOSTS is missing[^\n]*$/],
  [{ KNOWLEDGE_URL_TLS_HOSTS: "a.corp" }, /^KNOWLEDGE_URL_TLS_CERT is missing[^\n]*$/],
])("%j is refused in one line without a password", async (environment, line) => {
  const error = await open(environment).catch((error: Error) => error);
  expect(error).toMatchObject({ name: "ConfigurationError", message: line });
  expect(String(error)).not.toMatch(/secret|100%/);
});
