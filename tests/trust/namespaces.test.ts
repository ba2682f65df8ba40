import { join, resolve } from "node:path";
import { answer, serviceMains, startScriptedProvider, startService } from "@agent-backends/testing";
import { createTemporaryFolder } from "@agent-backends/testing/fixtures";
import { afterAll, describe, expect, test } from "vitest";
import { writeKeys } from "./key-file.ts";

const own = "Kunde Müller/Süd";
const pattern = "team-*";
const other = "other-customer";
/** Names that a careless comparison would confuse with the key's own. */
const lookAlikes = [
  own.toLowerCase(),
  `${own} `,
  own.normalize("NFD"),
  own.replace("K", "К"),
  encodeURIComponent(own),
  `${own}%00`,
  "team",
  "xteam-a",
  "*",
];

const maxNamespaces = 20;

const folder = await createTemporaryFolder();
const ids: Record<string, { document: string; job: string }> = {};

const provider = await startScriptedProvider();
provider.script(answer.text("It is so [1]."));
const keysFile = join(folder, "keys.json");
await writeKeys(keysFile, [
  { name: "limited", key: "limited-key", namespaces: [own, pattern] },
  { name: "few", key: "few-key", namespaces: ["few-*"] },
  { name: "all", key: "all-key", namespaces: ["*"], scopes: ["admin"] },
]);
const service = await startService(resolve(serviceMains.knowledge), {
  LLM_BASE_URL: provider.baseUrl,
  KNOWLEDGE_STORE: join(folder, "store"),
  AUTH_KEYS_FILE: keysFile,
  KNOWLEDGE_MAX_NAMESPACES_PER_KEY: String(maxNamespaces),
});
for (const namespace of [own, other, "team-a", "default", ...lookAlikes]) await fill(namespace);
afterAll(async () => {
  await service.end("SIGKILL");
  await provider.close();
});

/** Sends a request with a key. A body that isn't a form is sent as JSON. */
function send(key: string, path: string, method = "GET", body?: object): Promise<Response> {
  const isForm = body instanceof FormData;
  return fetch(service.baseUrl + path, {
    method,
    headers: {
      "X-API-Key": key,
      ...(body && !isForm && { "Content-Type": "application/json", Accept: "application/json, text/event-stream" }),
    },
    ...(body && { body: isForm ? body : JSON.stringify(body) }),
  });
}

async function fill(namespace: string): Promise<void> {
  const ingest = (text: string, query = "") =>
    send("all-key", `/api/tools/ingest${query}`, "POST", { namespace, sources: [text] });
  const stored = (await (await ingest("Ducks swim.")).json()) as { saved: { document_id: string }[] };
  const job = (await (await ingest("Geese fly.", "?async=true")).json()) as { job_id: string };
  ids[namespace] = { document: stored.saved[0]?.document_id ?? "", job: job.job_id };
}

const messages = [{ role: "user", content: "Do ducks swim?" }];
const run = { threadId: "t", runId: "r", messages: [{ id: "m", ...messages[0] }] };
const chat = { thread_id: "t", run_id: "r", messages };
const path = encodeURIComponent;
const source = { sources: ["Ducks swim."] };

function buildForm(namespace: string | undefined): FormData {
  const form = new FormData();
  form.append("files", new Blob(["Ducks swim."]), "ducks.txt");
  if (namespace !== undefined) form.append("namespace", namespace);
  return form;
}

const buildCall = (namespace: string | undefined, name = "search_docs", args: object = { query: "ducks" }) => ({
  jsonrpc: "2.0",
  id: 1,
  method: "tools/call",
  params: { name, arguments: { ...args, namespace } },
});

type Send = (key: string, namespace: string) => Promise<Response>;

const posts =
  (path: string, bodyOf: (namespace: string) => object): Send =>
  (key, namespace) =>
    send(key, path, "POST", bodyOf(namespace));
const overMcp = (bodyOf: (namespace: string) => object) => posts("/mcp", bodyOf);
const toDocumentPath = (namespace: string) =>
  `/api/namespaces/${path(namespace)}/documents/${ids[namespace]?.document}`;

/** Every place in a request that can name a namespace. Requests that delete something come last. */
const places: [string, Send][] = [
  ["ingest", posts("/api/tools/ingest", (namespace) => ({ namespace, ...source }))],
  ["ingest as a form", posts("/api/tools/ingest", buildForm)],
  ["ingest as a job", posts("/api/tools/ingest?async=true", (namespace) => ({ namespace, ...source }))],
  ["a form as a job", posts("/api/tools/ingest?async=true", buildForm)],
  ["search", posts("/api/tools/searchDocs", (namespace) => ({ namespace, query: "ducks" }))],
  ["generate", posts("/api/agents/knowledge/generate", (namespace) => ({ namespace, messages }))],
  ["stream", posts("/stream", (namespace) => ({ ...chat, namespace }))],
  ["several, searched", posts("/api/tools/searchDocs", (name) => ({ namespaces: [own, name], query: "ducks" }))],
  ["several, asked", posts("/api/agents/knowledge/generate", (name) => ({ namespaces: [own, name], messages }))],
  [
    "several, streamed",
    posts("/stream", (name) => ({ ...chat, namespaces: [own, name], tool_params: { namespace: own } })),
  ],
  ["stream, tool_params", posts("/stream", (namespace) => ({ ...chat, tool_params: { namespace } }))],
  ["stream, toolParams", posts("/stream", (namespace) => ({ ...chat, toolParams: { namespace } }))],
  [
    "stream, the body before tool_params",
    posts("/stream", (namespace) => ({ ...chat, namespace, tool_params: { namespace: own } })),
  ],
  ["AG-UI's address", (key, name) => send(key, `/agui?namespace=${path(name)}`, "POST", run)],
  [
    "AG-UI's address before forwardedProps",
    (key, name) => send(key, `/agui?namespace=${path(name)}`, "POST", { ...run, forwardedProps: { namespace: own } }),
  ],
  ["forwardedProps", posts("/agui", (namespace) => ({ ...run, forwardedProps: { namespace } }))],
  [
    "forwardedProps before state",
    posts("/agui", (name) => ({ ...run, forwardedProps: { namespaces: [own, name] }, state: { namespace: own } })),
  ],
  ["state", posts("/agui", (namespace) => ({ ...run, state: { namespace } }))],
  ["a chat completion", posts("/v1/chat/completions", (namespace) => ({ model: "knowledge", namespace, messages }))],
  ["MCP", overMcp((name) => buildCall(name))],
  [
    "several, searched over MCP",
    overMcp((name) => buildCall(undefined, undefined, { query: "ducks", namespaces: [own, name] })),
  ],
  ["asked over MCP", overMcp((name) => buildCall(name, "ask", { question: "Ducks?" }))],
  ["listed over MCP", overMcp((name) => buildCall(name, "list_documents", {}))],
  ["added over MCP", overMcp((name) => buildCall(name, "add_document", { value: "Ducks swim." }))],
  ["read over MCP", overMcp((name) => buildCall(name, "read_document", { document_id: ids[name]?.document ?? "x" }))],
  ["deleted over MCP", overMcp((name) => buildCall(name, "delete_document", { document_id: "x" }))],
  ["MCP in a batch", overMcp((namespace) => [{ jsonrpc: "2.0", id: 0, method: "ping" }, buildCall(namespace)])],
  ["documents", (key, namespace) => send(key, `/api/namespaces/${path(namespace)}/documents`)],
  ["changes", (key, namespace) => send(key, `/api/namespaces/${path(namespace)}/changes`)],
  ["document", (key, name) => send(key, toDocumentPath(name))],
  ["a model", posts("/v1/chat/completions", (name) => ({ model: `knowledge/${name}`, messages }))],
  ["a model's details", (key, name) => send(key, `/v1/models/${path(`knowledge/${name}`)}`)],
  ["chunks", (key, name) => send(key, `${toDocumentPath(name)}/chunks`)],
  ["change", (key, name) => send(key, toDocumentPath(name), "PATCH", { title: "Ducks" })],
  ["delete by source", (key, name) => send(key, `/api/namespaces/${path(name)}/documents?source=x`, "DELETE")],
  ["job", (key, namespace) => send(key, `/api/jobs/${ids[namespace]?.job}`)],
  ["a job's events", (key, namespace) => send(key, `/api/jobs/${ids[namespace]?.job}/events`)],
  ["cancel a job", (key, namespace) => send(key, `/api/jobs/${ids[namespace]?.job}`, "DELETE")],
  ["delete a document", (key, name) => send(key, toDocumentPath(name), "DELETE")],
  ["delete a namespace", (key, namespace) => send(key, `/api/namespaces/${path(namespace)}`, "DELETE")],
];

const forbidden = {
  type: "urn:agent-backends:problem:forbidden",
  status: 403,
  title: expect.any(String),
  detail: expect.stringMatching(/isn't allowed to use the namespace/),
};

async function expectForbidden(response: Response): Promise<void> {
  const { pathname } = new URL(response.url);
  if (pathname === "/mcp") return expectForbiddenTool(response);
  if (pathname.startsWith("/api/jobs/")) return expectNoJob(response);
  expect(response.status).toBe(403);
  expect(response.headers.get("content-type")).toMatch(/^application\/problem\+json/);
  const { error, ...problem } = (await response.json()) as { detail?: string; error?: { message: string } };
  expect(problem).toEqual(forbidden);
  // What clients of OpenAI's interface read.
  if (error !== undefined) expect(error).toMatchObject({ code: "forbidden", message: problem.detail });
}

/** A job's id doesn't say in whose namespace it is, so the answer doesn't tell either. */
async function expectNoJob(response: Response): Promise<void> {
  expect([response.status, await response.text()]).toEqual([404, expect.not.stringMatching(/namespace/)]);
}

/** Clients throw away what another status than 200 says, so the model would never read it. */
async function expectForbiddenTool(response: Response): Promise<void> {
  const messages = [await response.json()].flat() as { id: number; result: { content: object[] } }[];
  const text = expect.stringMatching(/isn't allowed to use the namespace .*; use one that is/);
  expect([response.status, messages.find(({ id }) => id === 1)?.result]).toEqual([
    200,
    { isError: true, content: [{ type: "text", text }], structuredContent: forbidden },
  ]);
  const refused = { route: "/mcp", key: "limited", outcome: "refused", failure: "forbidden" };
  await expect.poll(() => service.log.at(-1)).toMatchObject(refused);
}

describe.each(places)("%s", (_place, to) => {
  test.each([other, ...lookAlikes])("is forbidden in %j", async (namespace) => {
    await expectForbidden(await to("limited-key", namespace));
  });

  test("is forbidden in a namespace that does not exist just the same", async () => {
    ids["no-such"] = { document: "none", job: ids[other]?.job ?? "" };
    await expectForbidden(await to("limited-key", "no-such"));
  });

  test.each([own, "team-a"])("is possible in the key's own %j", async (namespace) => {
    const response = await to("limited-key", namespace);
    await response.text();
    expect([200, 202, 204]).toContain(response.status);
    if (to === places.at(-1)?.[1]) await fill(namespace);
  });
});

const mayLeaveOut = places
  .slice(
    0,
    places.findIndex(([place]) => place === "documents"),
  )
  .filter(([place]) => !/ before |^several/.test(place));
test.each(mayLeaveOut)("%s without a namespace means default, which is not the key's", async (_place, to) => {
  await expectForbidden(await to("limited-key", undefined as never));
  await expectForbidden(await to("limited-key", "  "));
});

test("a key sees its own namespaces alone, page by page and over MCP", async () => {
  const seen: string[] = [];
  for (let cursor: string | null = ""; cursor !== null; ) {
    const query: string = cursor && `&cursor=${cursor}`;
    const page = (await (await send("limited-key", `/api/namespaces?limit=1${query}`)).json()) as {
      namespaces: { namespace: string }[];
      next_cursor: string | null;
    };
    seen.push(...page.namespaces.map(({ namespace }) => namespace));
    cursor = page.next_cursor;
  }
  expect(seen.sort()).toEqual([own, "team-a"].sort());
  const listing = { ...buildCall(undefined), params: { name: "list_namespaces", arguments: {} } };
  const overMcp = (await (await send("limited-key", "/mcp", "POST", listing)).json()) as {
    result: { structuredContent: { namespaces: { namespace: string }[] } };
  };
  expect(overMcp.result.structuredContent.namespaces.map(({ namespace }) => namespace).sort()).toEqual(seen);
  const all = (await (await send("all-key", "/api/namespaces?limit=100")).json()) as { namespaces: unknown[] };
  expect(all.namespaces.length).toBe(lookAlikes.length + 4);
});

test("a key lists only its own jobs, newest first", async () => {
  const list = async (key: string, query = "") => {
    const page = (await (await send(key, `/api/jobs${query}`)).json()) as {
      jobs: { job_id: string; namespace: string; items: number }[];
      next_cursor: string | null;
    };
    return page;
  };
  const sent: string[] = [];
  for (const text of ["Owls fly.", "Owls sleep."]) {
    const accepted = await send("few-key", "/api/tools/ingest?async=true", "POST", {
      namespace: "few-0",
      sources: [text],
    });
    sent.unshift(((await accepted.json()) as { job_id: string }).job_id);
  }
  const first = await list("few-key", "?limit=1");
  const second = await list("few-key", `?limit=1&cursor=${first.next_cursor}`);
  expect([...first.jobs, ...second.jobs]).toMatchObject(
    sent.map((job_id) => ({ job_id, namespace: "few-0", items: 1 })),
  );
  expect(second.next_cursor).toBeNull();
  const ids = (await list("limited-key", "?limit=100")).jobs.map(({ job_id }) => job_id);
  expect(ids).not.toEqual(expect.arrayContaining([expect.toBeOneOf(sent)]));
  for (const wrong of ["limit=0", "limit=101", "cursor=nonsense", "status=ended"]) {
    expect((await send("few-key", `/api/jobs?${wrong}`)).status).toBe(422);
  }
});

test("a document of another namespace is not found in the key's own", async () => {
  const secret = { namespace: other, sources: ["Swans are another customer's secret."] };
  const stored = await (await send("all-key", "/api/tools/ingest", "POST", secret)).json();
  const { document_id } = (stored as { saved: [{ document_id: string }] }).saved[0];
  for (const method of ["GET", "DELETE"]) {
    const response = await send("limited-key", `/api/namespaces/${path(own)}/documents/${document_id}`, method);
    expect(response.status).toBe(404);
  }
  expect((await send("all-key", `/api/namespaces/${other}/documents/${document_id}`)).status).toBe(200);
});

test("a key begins no more namespaces than it may, and goes on with those that it has", async () => {
  const ingest = (number: number, text: string) =>
    send("few-key", "/api/tools/ingest", "POST", { namespace: `few-${number}`, sources: [text] });
  for (let number = 0; number < maxNamespaces; number += 1)
    expect((await ingest(number, "Ducks swim.")).status).toBe(200);
  const refused = await ingest(maxNamespaces, "Ducks swim.");
  expect(refused.status).toBe(409);
  expect(await refused.json()).toMatchObject({ detail: expect.stringContaining("KNOWLEDGE_MAX_NAMESPACES_PER_KEY") });
  expect((await ingest(0, "Geese fly.")).status).toBe(200);
});
