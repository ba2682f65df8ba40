import type { ExportCounts, UploadProgress } from "@agent-backends/client";
import {
  ConnectionError,
  InvalidResponseError,
  KnowledgeClient,
  ListingClient,
  ProblemError,
  TruncatedStreamError,
} from "@agent-backends/client";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { collect, json, problem, ScriptedService } from "./scripted-service.ts";

const found = { namespace: "default", query: "q", results: [] };
const search = (service: ScriptedService) => new KnowledgeClient(service.options).search({ query: "q" });
const networkFailure = () => new TypeError("fetch failed");

test("requests go to the base URL with its path, and carry the fixed headers", async () => {
  const service = new ScriptedService(json(found), json({ deleted: 1, kept: 0, next_cursor: null }));
  const client = new KnowledgeClient({ ...service.options, headers: { Authorization: "Bearer key" } });
  expect(await client.search({ query: "q" }, { headers: { "X-Request-Id": "one" } })).toEqual(found);
  await client.deleteDocuments("a/b ü", { filter: { team: "legal" } });
  expect(service.requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
    "POST https://agents.example/base/api/tools/searchDocs",
    "DELETE https://agents.example/base/api/namespaces/a%2Fb%20%C3%BC/documents?filter=%7B%22team%22%3A%22legal%22%7D",
  ]);
  expect(Object.fromEntries(service.requests[0]?.headers ?? [])).toMatchObject({
    authorization: "Bearer key",
    "content-type": "application/json",
    "x-request-id": "one",
  });
});

test("a request's header replaces the client's, however its name is written, and undefined ones are not sent", async () => {
  const service = new ScriptedService(json(found));
  const none = undefined as unknown as string;
  const client = new KnowledgeClient({ ...service.options, headers: { authorization: "Bearer a", "X-Trace": none } });
  await client.search({ query: "q" }, { headers: { Authorization: "Bearer b", "Content-Type": "application/json" } });
  expect(Object.fromEntries(service.requests[0]?.headers ?? [])).toEqual({
    authorization: "Bearer b",
    "content-type": "application/json",
  });
});

test("headers from a function are asked for each attempt, and its error fails the call", async () => {
  const service = new ScriptedService(problem(429, "too-many-requests"), json(found));
  let tokens = 0;
  const headers = async () => ({ Authorization: `Bearer ${++tokens}` });
  await new KnowledgeClient({ ...service.options, headers }).search({ query: "q" });
  expect(service.requests.map(({ headers }) => headers.get("authorization"))).toEqual(["Bearer 1", "Bearer 2"]);
  const broken = () => {
    throw new Error("no token");
  };
  const failing = new KnowledgeClient({ ...service.options, headers: broken });
  await expect(failing.search({ query: "q" })).rejects.toThrow("no token");
});

test("an error whose body doesn't end fails the call with what was read", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const start = new TextEncoder().encode('{"detail":"cut');
  const silent = new ReadableStream({ start: (controller) => controller.enqueue(start) });
  const endless = new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(65_536)) });
  for (const body of [silent, endless]) {
    const failure = search(new ScriptedService(new Response(body, { status: 500 })));
    const refused = expect(failure).rejects.toMatchObject({ name: "ProblemError", status: 500 });
    await vi.advanceTimersByTimeAsync(10_000);
    await refused;
  }
});

test.each(["localhost:8001", "127.0.0.1:8001", "", "/knowledge"])(
  "the baseUrl %j is refused with an example",
  (baseUrl) => {
    expect(() => new KnowledgeClient({ baseUrl })).toThrow("baseUrl must be an address such as http://localhost:8001");
  },
);

test("an error has the problem's code, status, detail and fields", async () => {
  const error = await search(new ScriptedService(problem(422, "invalid-input"))).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ProblemError);
  expect(error).toMatchObject({
    status: 422,
    code: "invalid-input",
    title: "A title",
    message: "The detail of invalid-input.",
    errors: [{ pointer: "/query", detail: "is blank" }],
  });
});

test("an error page of a proxy is a problem without a code, and a page with status 200 is an invalid answer", async () => {
  const page = (status: number) => new Response("<html>", { status, headers: { "content-type": "text/html" } });
  await expect(search(new ScriptedService(page(404)))).rejects.toMatchObject({ status: 404, code: undefined });
  await expect(search(new ScriptedService(page(200)))).rejects.toThrow(InvalidResponseError);
});

describe("retries", () => {
  test.each([undefined, Number.NaN])("end if maxAttempts is %s", async (maxAttempts) => {
    const busy = Array.from({ length: 9 }, () => problem(429, "too-many-requests"));
    const service = new ScriptedService(...busy);
    const client = new KnowledgeClient({ ...service.options, retry: { maxAttempts: maxAttempts as number } });
    await expect(client.search({ query: "q" })).rejects.toMatchObject({ status: 429 });
    expect(service.requests.length).toBe(maxAttempts === undefined ? 3 : 1);
  });

  test("wait as long as Retry-After says, in seconds or until a date, and not shorter", async () => {
    const until = "Sun, 22 Nov 2026 10:00:04 GMT";
    const service = new ScriptedService(
      problem(429, "too-many-requests", { "retry-after": "2" }),
      problem(503, "unavailable", { "retry-after": until }),
      json(found),
    );
    expect(await search(service)).toEqual(found);
    expect(service.delays).toEqual([2_250, 4_500]);
  });

  test("wait for a fraction of a second, and take no other number for a date that has passed", async () => {
    const service = new ScriptedService(
      problem(429, "too-many-requests", { "retry-after": "1.5" }),
      problem(503, "unavailable", { "retry-after": "-5" }),
      json(found),
    );
    expect(await search(service)).toEqual(found);
    expect(service.delays).toEqual([1_687.5, 875]);
  });

  test("back off exponentially when the service names no time, and end with the last error", async () => {
    const service = new ScriptedService(networkFailure(), problem(502, "provider-failed"), networkFailure());
    await expect(search(service)).rejects.toThrow(ConnectionError);
    expect(service.delays).toEqual([437.5, 875]);
  });

  test("don't follow when the service asks for a longer wait than the limit", async () => {
    const service = new ScriptedService(problem(429, "too-many-requests", { "retry-after": "3600" }));
    await expect(search(service)).rejects.toMatchObject({ status: 429 });
    expect(service.delays).toEqual([]);
  });

  test("never repeat what the service may have begun, but repeat what it refused", async () => {
    const messages = [{ role: "user" as const, content: "Hello" }];
    for (const failure of [networkFailure(), problem(502, "provider-failed"), problem(500, "internal")]) {
      const service = new ScriptedService(failure);
      await expect(new KnowledgeClient(service.options).generate({ messages })).rejects.toThrow();
      expect(service.requests).toHaveLength(1);
    }
    const service = new ScriptedService(
      problem(503, "unavailable"),
      json({ content: "Hi", namespace: "n", citations: [] }),
    );
    expect(await new KnowledgeClient(service.options).generate({ messages })).toMatchObject({ content: "Hi" });
  });

  test("are turned off by maxAttempts, and for ready", async () => {
    const service = new ScriptedService(problem(503, "unavailable"), problem(503, "unavailable"));
    const client = new ListingClient({ ...service.options, retry: { maxAttempts: 1 } });
    await expect(client.top()).rejects.toMatchObject({ status: 503 });
    await expect(new ListingClient(service.options).ready()).rejects.toMatchObject({ status: 503 });
    expect(service.delays).toEqual([]);
  });

  test("end when the signal aborts, with its reason", async () => {
    const controller = new AbortController();
    const service = new ScriptedService(problem(503, "unavailable"), json(found));
    const client = new KnowledgeClient(service.options);
    const onResponse = () => controller.abort(new Error("enough"));
    await expect(client.search({ query: "q" }, { signal: controller.signal, onResponse })).rejects.toThrow("enough");
    expect(service.requests).toHaveLength(1);
  });
});

test("pages are one iterator, and a namespace or document that is gone is no error", async () => {
  const document = (id: string) => ({ document_id: id });
  const service = new ScriptedService(
    json({ documents: [document("a"), document("b")], next_cursor: "2" }),
    json({ documents: [document("c")], next_cursor: null }),
    new Response(null, { status: 204 }),
    problem(404, "not-found"),
  );
  const client = new KnowledgeClient(service.options);
  const documents = await collect(client.documents("n", { limit: 2 }));
  expect(documents.map(({ document_id }) => document_id)).toEqual(["a", "b", "c"]);
  expect(service.requests.map(({ url }) => new URL(url).search)).toEqual(["?limit=2", "?limit=2&cursor=2"]);
  expect([await client.deleteDocument("n", "a", { purge: true }), await client.deleteNamespace("n")]).toEqual([
    true,
    false,
  ]);
  expect(service.requests[2]?.url).toMatch(/\/a\?purge=true$/);
});

test("a deletion whose answer was lost has succeeded if nothing is left, but isn't known to be off the disk", async () => {
  const remove = (answer: Response | Error, options = {}) =>
    new KnowledgeClient(new ScriptedService(answer, problem(404, "not-found")).options).deleteDocument(
      "n",
      "a",
      options,
    );
  expect(await remove(networkFailure())).toBe(true);
  expect(await remove(problem(504, "x"))).toBe(true);
  expect(await remove(problem(503, "unavailable"))).toBe(false);
  await expect(remove(networkFailure(), { purge: true })).rejects.toThrow(ConnectionError);
});

test("an export is a file that ends with its trailer, and an import sends one", async () => {
  const file = (...lines: string[]) => new Response(lines.map((line) => `${line}\n`).join(""));
  const trailer = '{"type":"trailer","documents":1,"chunks":1,"sha256":"0"}';
  const part = `{"type":"part","text":"${"é".repeat(5_000)}"}`;
  const counts = { namespace: "copy", saved: 1, skipped: 0, chunks: 1, embedded: 0 };
  const service = new ScriptedService(
    file(part, trailer, ""),
    file(part),
    file(part, '{"type":"error","message":"The export failed."}'),
    json(counts),
  );
  const client = new KnowledgeClient(service.options);
  const ends: ExportCounts[] = [];
  const onEnd = (counts: ExportCounts) => ends.push(counts);
  const read = async () => new Response(await client.exportNamespace("a", { onEnd })).text();
  const whole = await read();
  expect(whole).toBe(`${part}\n${trailer}\n\n`);
  await expect(read()).rejects.toThrow(TruncatedStreamError);
  await expect(read()).rejects.toThrow("The export failed.");
  expect(ends).toEqual([{ documents: 1, chunks: 1 }]);
  const progress: number[] = [];
  const onProgress = ({ sentBytes, totalBytes }: UploadProgress) => progress.push(sentBytes / totalBytes);
  expect(await client.importNamespace("copy", new Blob([whole]), { reembed: true, onProgress })).toEqual(counts);
  expect(service.requests[3]).toMatchObject({ url: expect.stringMatching(/copy\/import\?reembed=true$/), body: whole });
  expect(service.requests[3]?.headers.get("content-type")).toBe("application/x-ndjson");
  expect(progress.indexOf(1)).toBe(progress.length - 1);
});

test("an ingest is sent as JSON, or with files as a form whose progress is reported", async () => {
  const outcome = {
    namespace: "n",
    saved: [],
    skipped: [],
    errors: [{ source: "text:0", error: "empty", code: "empty" }],
  };
  const accepted = { job_id: "j", namespace: "n", status: "queued", items: 2 };
  const service = new ScriptedService(json(outcome, { status: 400 }), json(accepted, { status: 202 }));
  const client = new KnowledgeClient(service.options);
  expect(await client.ingest({ namespace: "n", sources: ["One"] })).toEqual(outcome);
  expect(service.requests[0]?.body).toBe('{"namespace":"n","sources":["One"]}');

  const progress: number[] = [];
  const files = [{ name: "docs/a.md", content: "# A" }, new File(["x".repeat(100_000)], "b.txt")];
  const job = await client.startIngest(
    { sources: ["One"], files, metadata: { team: "legal" } },
    { onProgress: ({ sentBytes, totalBytes }) => progress.push(sentBytes / totalBytes) },
  );
  expect(job).toEqual(accepted);
  expect(service.requests[1]?.url).toMatch(/\/ingest\?async=true$/);
  const type = service.requests[1]?.headers.get("content-type") ?? "";
  const form = await new Response(service.requests[1]?.body ?? "", { headers: { "content-type": type } }).formData();
  expect(form.getAll("files").map((file) => (file as File).name)).toEqual(["docs/a.md", "b.txt"]);
  expect([form.get("sources"), form.get("metadata")]).toEqual(['["One"]', '{"team":"legal"}']);
  expect(progress.at(-1)).toBe(1);
});
