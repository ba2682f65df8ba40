import type { KeyObject } from "node:crypto";
import { generateKeyPairSync, sign } from "node:crypto";
import { rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join, resolve } from "node:path";
import type { ServiceName, ServiceProcess } from "@agent-backends/testing";
import { serviceMains, startScriptedProvider, startService } from "@agent-backends/testing";
import { createTemporaryFolder, listenOnLoopback } from "@agent-backends/testing/fixtures";
import { afterAll, describe, expect, test, vi } from "vitest";
import type { TestKey } from "./key-file.ts";
import { writeKeys } from "./key-file.ts";

interface Route {
  method: string;
  path: string;
  scope: "ask" | "read" | "write";
  body?: object;
}

const messages = [{ role: "user", content: "Hello" }];
/** Without an id, so that it is not kept and may be sent again. */
const run = { threadId: "t", runId: "", messages: [{ id: "m", role: "user", content: "Hello" }] };
const mcpCall = (name: string, args: object) => ({
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: { name, arguments: args },
});
const job = "/api/jobs/00000000-0000-4000-8000-000000000000";

const agUiRoutes: Route[] = [
  { method: "POST", path: "/agui", scope: "ask", body: run },
  { method: "GET", path: "/agui/capabilities", scope: "ask" },
  { method: "GET", path: "/agui/runs/none", scope: "ask" },
  { method: "DELETE", path: "/agui/runs/none", scope: "ask" },
];
const relayRoutes: Route[] = [{ method: "POST", path: "/agent", scope: "ask", body: run }];
const routes: Record<ServiceName, Route[]> = {
  "relay-express": relayRoutes,
  "relay-nest": relayRoutes,
  listing: [
    { method: "GET", path: "/", scope: "read" },
    { method: "POST", path: "/tools/top", scope: "read", body: {} },
    { method: "POST", path: "/tools/top_timeframe", scope: "read", body: { timeframe: "today" } },
    { method: "POST", path: "/tools/search", scope: "read", body: { query: "time" } },
    { method: "POST", path: "/tools/confetti", scope: "read", body: {} },
    { method: "POST", path: "/agent", scope: "ask", body: { messages } },
    { method: "POST", path: "/mcp", scope: "read", body: mcpCall("confetti", {}) },
    { method: "POST", path: "/mcp", scope: "ask", body: mcpCall("advice", { message: "When?" }) },
    ...agUiRoutes,
  ],
  knowledge: [
    { method: "POST", path: "/api/tools/ingest", scope: "write", body: { sources: ["Ducks swim."] } },
    { method: "POST", path: "/api/tools/searchDocs", scope: "read", body: { query: "ducks" } },
    { method: "POST", path: "/api/agents/knowledge/generate", scope: "ask", body: { messages } },
    { method: "POST", path: "/stream", scope: "ask", body: { thread_id: "t", run_id: "r", messages } },
    { method: "POST", path: "/v1/chat/completions", scope: "ask", body: { model: "knowledge", messages } },
    { method: "GET", path: "/v1/models", scope: "ask" },
    { method: "GET", path: "/v1/models/knowledge", scope: "ask" },
    ...agUiRoutes,
    { method: "POST", path: "/mcp", scope: "read", body: mcpCall("search_docs", { query: "ducks" }) },
    { method: "POST", path: "/mcp", scope: "ask", body: mcpCall("ask", { question: "Do ducks swim?" }) },
    { method: "POST", path: "/mcp", scope: "read", body: mcpCall("list_namespaces", {}) },
    { method: "POST", path: "/mcp", scope: "read", body: mcpCall("list_documents", {}) },
    { method: "POST", path: "/mcp", scope: "read", body: mcpCall("read_document", { document_id: "x" }) },
    { method: "POST", path: "/mcp", scope: "write", body: mcpCall("add_document", { value: "Ducks swim." }) },
    { method: "POST", path: "/mcp", scope: "write", body: mcpCall("delete_document", { document_id: "x" }) },
    { method: "GET", path: "/api/namespaces", scope: "read" },
    { method: "GET", path: "/api/namespaces/default/documents", scope: "read" },
    { method: "GET", path: "/api/namespaces/default/documents/x", scope: "read" },
    { method: "GET", path: "/api/namespaces/default/documents/x/chunks", scope: "read" },
    { method: "DELETE", path: "/api/namespaces/default/documents?source=x", scope: "write" },
    { method: "PATCH", path: "/api/namespaces/default/documents/x", scope: "write", body: { title: "x" } },
    { method: "GET", path: "/api/jobs", scope: "read" },
    { method: "GET", path: job, scope: "read" },
    { method: "DELETE", path: job, scope: "write" },
    { method: "GET", path: `${job}/events`, scope: "read" },
    { method: "DELETE", path: "/api/namespaces/default/documents/x", scope: "write" },
    { method: "DELETE", path: "/api/namespaces/nowhere", scope: "write" },
  ],
};

const scopes = ["ask", "read", "write"];
const keys: TestKey[] = [
  { name: "usual", key: "usual-key", namespaces: ["*"] },
  { name: "admin", key: "admin-key", namespaces: ["*"], scopes: ["admin"] },
  ...scopes.map((scope) => ({
    name: `not ${scope}`,
    key: `not-${scope}`,
    namespaces: ["*"],
    scopes: scopes.filter((other) => other !== scope),
  })),
];

const issuer = "https://login.example.com";
const audience = "agent-backends";
const ours = generateKeyPairSync("ec", { namedCurve: "P-256" });
const stranger = generateKeyPairSync("ec", { namedCurve: "P-256" });
const jwks = createServer((_request, response) => {
  response.setHeader("Content-Type", "application/json");
  response.end(JSON.stringify({ keys: [{ ...ours.publicKey.export({ format: "jwk" }), kid: "one", alg: "ES256" }] }));
});

/** Signs a JSON Web Token (RFC 7515). */
function token(claims: object, by: KeyObject = ours.privateKey, header: object = { alg: "ES256", kid: "one" }): string {
  const about = { sub: "a-user", iss: issuer, aud: audience, exp: Math.floor(Date.now() / 1_000) + 300 };
  const parts = [header, { ...about, ...claims }].map((part) =>
    Buffer.from(JSON.stringify(part)).toString("base64url"),
  );
  const signature = sign("sha256", Buffer.from(parts.join(".")), { key: by, dsaEncoding: "ieee-p1363" });
  return [...parts, signature.toString("base64url")].join(".");
}

const folder = await createTemporaryFolder();
const names = Object.keys(serviceMains) as ServiceName[];

const keysFile = join(folder, "keys.json");
await writeKeys(keysFile, keys);
const provider = await startScriptedProvider();
const variables = {
  LLM_BASE_URL: provider.baseUrl,
  KNOWLEDGE_STORE: join(folder, "store"),
  LISTING_API_URL: provider.baseUrl,
  AUTH_KEYS_FILE: keysFile,
  AUTH_JWKS_URL: `${await listenOnLoopback(jwks)}/jwks`,
  AUTH_JWT_ISSUER: issuer,
  AUTH_JWT_AUDIENCE: audience,
  RUNS_URL: "memory:",
  CORS_ORIGINS: "https://chat.example.com",
};
const starting = names.map(async (name) => [name, await startService(resolve(serviceMains[name]), variables)]);
const services: Record<ServiceName, ServiceProcess> = Object.fromEntries(await Promise.all(starting));
afterAll(async () => {
  await Promise.all(Object.values(services).map((service) => service.end("SIGKILL")));
  await provider.close();
});

function send(name: ServiceName, { method, path, body }: Route, headers: Record<string, string> = {}) {
  return fetch(services[name].baseUrl + path, {
    method,
    headers: {
      ...(body && { "Content-Type": "application/json", Accept: "application/json, text/event-stream" }),
      ...headers,
    },
    ...(body && { body: JSON.stringify(body) }),
  });
}

/** A problem without what clients of OpenAI's interface read, which repeats it. */
async function readProblem(response: Response): Promise<object> {
  const { error, ...problem } = (await response.json()) as { detail?: string; error?: { message: string } };
  if (error !== undefined) expect(error.message).toBe(problem.detail);
  return problem;
}

async function expectUnauthorized(response: Response): Promise<void> {
  expect(response.status).toBe(401);
  expect(response.headers.get("content-type")).toMatch(/^application\/problem\+json/);
  expect(response.headers.get("www-authenticate")).toMatch(/^Bearer realm="agent-backends"/);
  expect(await readProblem(response)).toEqual({
    type: "urn:agent-backends:problem:unauthorized",
    title: "Unauthorized",
    status: 401,
    detail: expect.any(String),
  });
}

const table = names.flatMap((name) => routes[name].map((route) => ({ name, ...route })));

test.each(names)("a page of an origin that %s was not told of is refused before its key is looked at", async (name) => {
  const [route] = routes[name];
  if (!route) throw new Error(`${name} has no routes`);
  const from = (Origin: string) => send(name, route, { Origin, "X-API-Key": "wrong" });
  expect((await from("https://chat.example.com")).status).toBe(401);
  const refused = await from("https://evil.example");
  expect(refused.status).toBe(403);
  expect(((await refused.json()) as { detail: string }).detail).toBe(
    "Pages of https://evil.example may not call this service; add the origin to CORS_ORIGINS.",
  );
});

describe.each(table)("$name $method $path, which needs $scope", ({ name, ...route }) => {
  test("is shut without credentials, and with wrong ones", async () => {
    await expectUnauthorized(await send(name, route));
    await expectUnauthorized(await send(name, route, { Authorization: "Bearer nobody" }));
    await expectUnauthorized(await send(name, route, { "X-API-Key": "usual-ke" }));
  });

  test("is forbidden to a key without the scope, and open to one with it", async () => {
    const refused = await send(name, route, { "X-API-Key": `not-${route.scope}` });
    expect(refused.status).toBe(403);
    expect(refused.headers.get("content-type")).toMatch(/^application\/problem\+json/);
    expect(await readProblem(refused)).toEqual({
      type: "urn:agent-backends:problem:forbidden",
      title: "Forbidden",
      status: 403,
      detail: `This key lacks the scope ${route.scope}; use one that has it.`,
    });
    for (const key of ["usual-key", "admin-key"]) {
      const response = await send(name, route, { "X-API-Key": key });
      await response.text();
      expect([200, 204, 404]).toContain(response.status);
    }
  });
});

test.each(["listing", "knowledge"] as const)("a run of %s exists for the key that began it alone", async (name) => {
  const begin: Route = { method: "POST", path: "/agui", scope: "ask", body: { ...run, runId: "mine" } };
  const read: Route = { method: "GET", path: "/agui/runs/mine", scope: "ask" };
  const sent = await (await send(name, begin, { "X-API-Key": "usual-key" })).text();
  expect(sent).toContain("RUN_FINISHED");
  expect(await (await send(name, read, { "X-API-Key": "usual-key" })).text()).toBe(sent);
  expect((await send(name, read, { "X-API-Key": "admin-key" })).status).toBe(404);
  expect((await send(name, { ...read, method: "DELETE" }, { "X-API-Key": "admin-key" })).status).toBe(404);
});

const basic = (password: string) => `Basic ${Buffer.from(`anybody:${password}`).toString("base64")}`;

describe.each(names)("%s", (name) => {
  const [first] = routes[name];
  const route = first as Route;

  test.each([
    ["Bearer", { Authorization: "Bearer usual-key" }],
    ["bearer in lower case", { Authorization: "bearer usual-key" }],
    ["X-API-Key", { "X-API-Key": "usual-key" }],
    ["the password of Basic", { Authorization: basic("usual-key") }],
    ["X-API-Key beside credentials for a proxy", { Authorization: basic("of-the-proxy"), "X-API-Key": "usual-key" }],
  ])("takes a key as %s", async (_how, headers) => {
    expect((await send(name, route, headers as Record<string, string>)).status).toBe(200);
  });

  test.each([
    ["no scheme", { Authorization: "usual-key" }],
    ["another scheme", { Authorization: "Digest usual-key" }],
    ["the user name of Basic", { Authorization: `Basic ${Buffer.from("usual-key:").toString("base64")}` }],
    ["the digest itself", { "X-API-Key": "usual-key".padEnd(64, "0") }],
    ["an empty key", { "X-API-Key": "" }],
  ])("does not take %s", async (_how, headers) => {
    await expectUnauthorized(await send(name, route, headers as Record<string, string>));
  });

  test("says in its log whose key it was, by its name", async () => {
    const id = `named-${name}`;
    await (await send(name, route, { "X-API-Key": "usual-key", "X-Request-Id": id })).text();
    const line = () => services[name].log.find(({ request_id, msg }) => request_id === id && msg === "request");
    await expect.poll(line).toMatchObject({ key: "usual", status: 200 });
  });

  test("answers health and readiness without a key, and says which paths exist only with one", async () => {
    for (const path of ["/health", "/ready"]) {
      expect((await fetch(services[name].baseUrl + path)).status).toBe(200);
    }
    await expectUnauthorized(await fetch(`${services[name].baseUrl}/nowhere`));
    await expectUnauthorized(await send(name, { ...route, method: "PUT" }));
    await expectUnauthorized(await fetch(`${services[name].baseUrl}/health/../agent`, { method: "POST" }));
    expect(
      (await send(name, { method: "GET", path: "/nowhere", scope: "read" }, { "X-API-Key": "admin-key" })).status,
    ).toBe(404);
  });

  test("answers a browser's preflight without a key, for the origins that are named", async () => {
    const ask = (origin: string) =>
      fetch(services[name].baseUrl + route.path, {
        method: "OPTIONS",
        headers: {
          Origin: origin,
          "Access-Control-Request-Method": "POST",
          "Access-Control-Request-Headers": "authorization,x-api-key",
        },
      });
    const allowed = await ask("https://chat.example.com");
    expect(allowed.status).toBe(204);
    expect(allowed.headers.get("access-control-allow-origin")).toBe("https://chat.example.com");
    expect(allowed.headers.get("access-control-allow-headers")).toContain("x-api-key");
    expect((await ask("https://evil.example")).headers.get("access-control-allow-origin")).toBeNull();
    const shut = await send(name, route, { Origin: "https://chat.example.com" });
    expect(shut.headers.get("access-control-allow-origin")).toBe("https://chat.example.com");
    await expectUnauthorized(shut);
  });

  test("takes the issuer's tokens with the scopes that they carry, and no others", async () => {
    const status = async (jwt: string) => (await send(name, route, { Authorization: `Bearer ${jwt}` })).status;
    const usual = { scope: route.scope === "write" ? ["write"] : "ask read", namespaces: ["default"] };
    expect(await status(token(usual))).toBe(200);
    expect(await status(token({ namespaces: ["default"] }))).toBe(403);
    for (const wrong of [{ iss: "https://evil.example" }, { aud: "another-service" }, { exp: 1 }, { exp: undefined }]) {
      expect(await status(token({ ...usual, ...wrong }))).toBe(401);
    }
    expect(await status(token(usual, stranger.privateKey))).toBe(401);
    expect(await status(token(usual, ours.privateKey, { alg: "none" }))).toBe(401);
  });
});

test.each(["listing", "knowledge"] as const)(
  "MCP clients that look for a sign-in at %s learn that it has none",
  async (name) => {
    for (const [method, path] of [
      ["GET", "/.well-known/oauth-protected-resource/mcp"],
      ["GET", "/.well-known/oauth-authorization-server"],
      ["GET", "/.well-known/openid-configuration"],
      ["POST", "/register"],
    ] as const) {
      const response = await send(name, { method, path, scope: "read" });
      expect([path, response.status]).toEqual([path, 404]);
      expect(await response.json()).toMatchObject({ detail: expect.stringContaining("sent as Authorization: Bearer") });
    }
  },
);

test.each([
  ["not-write", ["search_docs", "ask", "list_namespaces", "list_documents", "read_document"]],
  ["not-read", ["ask", "add_document", "delete_document"]],
])("over MCP the key %s sees the tools that it may call", async (key, tools) => {
  const body = { jsonrpc: "2.0", id: 1, method: "tools/list" };
  const response = await send("knowledge", { method: "POST", path: "/mcp", scope: "read", body }, { "X-API-Key": key });
  const { result } = (await response.json()) as { result: { tools: { name: string }[] } };
  expect(result.tools.map(({ name }) => name)).toEqual(tools);
});

test("a token reaches the namespaces that it names", async () => {
  const search = async (claims: object, namespace: string) => {
    const route = {
      method: "POST",
      path: "/api/tools/searchDocs",
      scope: "read",
      body: { query: "x", namespace },
    } as const;
    return (await send("knowledge", route, { Authorization: `Bearer ${token(claims)}` })).status;
  };
  expect(await search({ scope: "read", namespaces: "customer-* b" }, "customer-a")).toBe(200);
  expect(await search({ scope: "read", namespaces: "customer-* b" }, "c")).toBe(403);
  expect(await search({ scope: "read" }, "default")).toBe(403);
});

test("no key is ever logged, or given to a model", async () => {
  for (const name of names) {
    for (const route of routes[name].filter(({ scope }) => scope === "ask")) {
      for (const key of ["usual-key", "no-key-at-all"]) await (await send(name, route, { "X-API-Key": key })).text();
    }
  }
  const keys = /usual-key|no-key-at-all|admin-key|of-the-proxy|eyJ|sk-test/;
  const printed = Object.values(services).map(({ log, printed }) => JSON.stringify([log, printed]));
  expect(printed.join()).not.toMatch(keys);
  expect(provider.chatRequests.length).toBeGreaterThanOrEqual(names.length);
  expect(JSON.stringify(provider.requests.map(({ body }) => body))).not.toMatch(keys);
});

// These come last, because they change the key file that all tests use.
test("a file that is broken leaves the keys as they are, says so, and one that is mended is read within seconds", async () => {
  const route = routes["relay-express"][0] as Route;
  const status = async (key: string) => (await send("relay-express", route, { "X-API-Key": key })).status;
  await writeFile(keysFile, '{"keys": [{"name": "x", "sha256": "usual-key"}]}');
  const said = () =>
    services["relay-express"].log.find(({ msg }) => /AUTH_KEYS_FILE .* stay as they were/.test(msg ?? ""));
  await vi.waitFor(() => expect(said()).toBeDefined(), { timeout: 60_000, interval: 100 });
  expect(said()?.msg).toContain("keys.0.sha256 must be the SHA-256");
  expect(said()?.msg).not.toContain("usual-key");
  expect(await status("usual-key")).toBe(200);
  await rm(keysFile);
  await writeKeys(keysFile, [{ name: "new", key: "new-key" }]);
  await vi.waitFor(async () => expect(await status("new-key")).toBe(200), { timeout: 60_000, interval: 100 });
  expect(await status("usual-key")).toBe(401);
}, 120_000);
