import { once } from "node:events";
import { request as send } from "node:http";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import type { ServiceName, ServiceProcess } from "@agent-backends/testing";
import { serviceMains, startScriptedProvider, startService } from "@agent-backends/testing";
import { createTemporaryFolder } from "@agent-backends/testing/fixtures";
import { afterAll, describe, expect, test } from "vitest";

const names = Object.keys(serviceMains) as ServiceName[];
const foreign = "https://evil.example";

const folder = await createTemporaryFolder();

const provider = await startScriptedProvider();
const variables = {
  LLM_BASE_URL: provider.baseUrl,
  LISTING_API_URL: provider.baseUrl,
  KNOWLEDGE_STORE: join(folder, "store"),
  ALLOWED_HOSTS: "agents.example.com",
  MCP_ALLOWED_HOSTS: "evil.example",
};
const starting = names.map(async (name) => [name, await startService(resolve(serviceMains[name]), variables)]);
const services: Record<ServiceName, ServiceProcess> = Object.fromEntries(await Promise.all(starting));
afterAll(async () => {
  await Promise.all(Object.values(services).map((service) => service.end("SIGKILL")));
  await provider.close();
});

/** Sends a request as a browser does. `fetch` doesn't allow setting Host. */
async function ask(
  name: ServiceName,
  path: string,
  {
    method = "GET",
    headers = {},
    body = "",
  }: { method?: string; headers?: Record<string, string>; body?: string } = {},
) {
  const request = send(services[name].baseUrl + path, { method, headers });
  request.end(body);
  const [response] = await once(request, "response");
  const answer = await text(response);
  return { status: response.statusCode as number, answer, allowed: response.headers["access-control-allow-origin"] };
}

describe.each(names)("%s without keys", (name) => {
  const getAddress = () => new URL(services[name].baseUrl);

  test.each(["evil.example", "evil.example:8001", "127.0.0.1.evil.example", "10.0.0.7"])(
    "does not answer as %s, which a page can point at it",
    async (host) => {
      const rebound = { Host: host, Origin: `http://${host}` };
      const { status, answer } = await ask(name, "/nowhere", { headers: rebound });
      expect({ status, detail: JSON.parse(answer).detail }).toEqual({
        status: 403,
        detail: expect.stringMatching(/add this host name to ALLOWED_HOSTS, or create a key with npm run keys -- add/),
      });
    },
  );

  test("answers as this machine, as a host that the operator allows, and to checks of its health as any", async () => {
    const { port } = getAddress();
    for (const host of ["localhost", `LOCALHOST:${port}`, `[::1]:${port}`, `127.0.0.1:${port}`, "agents.example.com"]) {
      expect((await ask(name, "/nowhere", { headers: { Host: host } })).status).toBe(404);
    }
    expect((await ask(name, "/health", { headers: { Host: "10.0.0.7:8001" } })).status).toBe(200);
  });
});

describe("knowledge without keys", () => {
  const stored = async () => JSON.parse((await ask("knowledge", "/api/namespaces")).answer).namespaces;
  const formHeaders = { "Content-Type": "multipart/form-data; boundary=b" };
  const form = (namespace: string) =>
    `--b\r\nContent-Disposition: form-data; name="namespace"\r\n\r\n${namespace}\r\n` +
    '--b\r\nContent-Disposition: form-data; name="sources"\r\n\r\n["Some text of a page."]\r\n--b--\r\n';
  const ingest = (namespace: string, headers: Record<string, string>) =>
    ask("knowledge", "/api/tools/ingest", {
      method: "POST",
      headers: { ...formHeaders, ...headers },
      body: form(namespace),
    });

  test.each([foreign, "null", "http://127.0.0.1.evil.example"])(
    "stores nothing that a form of %s sends",
    async (Origin) => {
      const { status, answer } = await ingest("planted", { Origin });
      expect({ status, detail: JSON.parse(answer).detail }).toEqual({
        status: 403,
        detail: expect.stringContaining("add the origin to CORS_ORIGINS"),
      });
      expect(await stored()).not.toContainEqual(expect.objectContaining({ namespace: "planted" }));
    },
  );

  test("lets a page that may use MCP read there, but change nothing", async () => {
    const headers = {
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
      Origin: foreign,
    };
    const call = (name: string, args: object) => {
      const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } });
      return ask("knowledge", "/mcp", { method: "POST", headers, body });
    };
    expect((await call("search_docs", { query: "x" })).status).toBe(200);
    expect((await call("add_document", { value: "Some text of a page.", namespace: "planted" })).status).toBe(403);
    expect((await call("delete_document", { document_id: "x" })).status).toBe(403);
    expect(await stored()).not.toContainEqual(expect.objectContaining({ namespace: "planted" }));
  });

  test("lets a foreign page delete nothing, and read what it likes", async () => {
    const remove = (headers: Record<string, string>) =>
      ask("knowledge", "/api/namespaces/default", { method: "DELETE", headers });
    expect((await remove({ Origin: foreign })).status).toBe(403);
    expect(await ask("knowledge", "/api/namespaces", { headers: { Origin: foreign } })).toMatchObject({
      status: 200,
      allowed: "*",
    });
  });

  test("takes what this machine's pages send, and programs that are no browsers", async () => {
    for (const headers of [{ Origin: "http://localhost:8080" }, { Origin: "http://127.0.0.1:5173" }, {}]) {
      expect((await ingest("own", headers as Record<string, string>)).status).toBe(200);
    }
  });
});
