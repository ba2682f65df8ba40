import { execFile, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { buffer, text } from "node:stream/consumers";
import type { ScriptedProvider, ServiceProcess } from "@agent-backends/testing";
import { answer, serviceMains, startScriptedProvider, startService } from "@agent-backends/testing";
import { afterAll, beforeAll, expect, test } from "vitest";
import { commands } from "../commands/index.ts";
import { completionScript } from "../terminal/completion.ts";
import { runAgents } from "./run-in-process.ts";

let folder: string;
let provider: ScriptedProvider;
let running: ServiceProcess[];
let environment: Record<string, string>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "cli-"));
  provider = await startScriptedProvider({ script: answer.text("Refunds take ", "5 days. ", "[1]") });
  const shared = { LLM_BASE_URL: provider.baseUrl };
  running = await Promise.all([
    startService(resolve(serviceMains.knowledge), {
      ...shared,
      KNOWLEDGE_STORE: join(folder, "store"),
      KNOWLEDGE_URL_ALLOW_PRIVATE: "true",
    }),
    startService(resolve(serviceMains.listing), shared),
    startService(resolve(serviceMains["relay-express"]), shared),
  ]);
  const [knowledge = "", listing = "", relay = ""] = running.map(({ baseUrl }) => baseUrl);
  environment = {
    AGENTS_KNOWLEDGE_URL: knowledge,
    AGENTS_LISTING_URL: listing,
    AGENTS_RELAY_URL: relay,
    XDG_STATE_HOME: join(folder, "state"),
  };
});
afterAll(async () => {
  await Promise.all(running.map((service) => service.end()));
  await provider.close();
  await rm(folder, { recursive: true });
});

const agents = (...args: string[]) => runAgents(args, environment);

/** Runs a command with --json, and returns its exit code with its result. */
async function json(...args: string[]) {
  const { exitCode, output, notes } = await agents(...args, "--json");
  return { exitCode, ...JSON.parse(output || notes) };
}

async function write(files: Record<string, string>, below: string) {
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, below, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
  return join(folder, below);
}

const sourcesIn = async (namespace: string) => {
  const { documents } = await json("documents", "--namespace", namespace);
  return (documents as { source: string }[]).map(({ source }) => source).sort();
};

test("the command runs on any Node, from any folder, and prints no colours to a pipe", async () => {
  const bin = join(folder, "agents");
  await symlink(resolve("cli/bin/agents"), bin);
  // The machine's Node, if it has one, instead of the project's.
  const options = { cwd: folder, env: { PATH: "/usr/local/bin:/usr/bin:/bin" }, encoding: "utf8" as const };
  const help = execFileSync(bin, ["help"], options);
  for (const { name, summary } of commands) expect(help).toMatch(new RegExp(`^  ${name} +${summary}$`, "m"));
  expect(help).not.toContain("\u001B");
});

test("every command has help with its options and examples", async () => {
  for (const { name, examples } of commands) {
    const { exitCode, output } = await agents(name, "--help");
    expect([exitCode, output]).toEqual([0, expect.stringContaining(`Usage: agents ${name}`)]);
    expect(examples.length, name).toBeGreaterThan(0);
  }
});

test("ingest, search, ask and documents work on what was ingested", async () => {
  const docs = await write(
    { "returns.md": "# Returns\nRefunds are paid within 5 working days.", ".secret": "x", "logo.png": "x" },
    "shop",
  );
  expect(await json("ingest", docs, "-n", "shop", "--metadata", '{"team":"sales"}')).toMatchObject({
    exitCode: 0,
    saved: [{ source: "file:shop/returns.md", chunks: 1 }],
    skipped: [],
    errors: [],
  });
  expect(await json("ingest", docs, "-n", "shop")).toMatchObject({ saved: [], skipped: [{ title: "Returns" }] });
  const found = await json("search", "refunds", "-n", "shop", "--filter", '{"team":"sales"}');
  expect(found.results[0]).toMatchObject({ title: "Returns", metadata: { source: "file:shop/returns.md" } });
  const answered = await agents("ask", "-n", "shop", "When", "are", "refunds", "paid?");
  expect(answered).toMatchObject({ exitCode: 0, notes: "" });
  expect(answered.output).toMatch(
    /^Refunds take 5 days\. \[1\]\n\n\[1\] Returns file:shop\/returns\.md · Returns\n {4}“Refunds are paid/,
  );
  expect(await json("ask", "-n", "shop", "When are refunds paid?")).toMatchObject({
    content: "Refunds take 5 days. [1]",
    citations: [{ n: 1 }],
  });
  const { documents } = await json("documents", "-n", "shop");
  expect(await json("documents", "delete", documents[0].document_id, "-n", "shop")).toMatchObject({ exitCode: 0 });
  expect(await json("documents", "show", documents[0].document_id, "-n", "shop")).toMatchObject({ exitCode: 1 });
});

test("changes lists all documents once, and then what has changed since", async () => {
  const docs = await write({ "a.md": "Alpha text." }, "changing");
  await agents("ingest", docs, "-n", "changing");
  const state = join(folder, "changing.cursor");
  const changes = (...args: string[]) => json("changes", "-n", "changing", "--state", state, ...args);
  const first = await changes();
  expect(first).toMatchObject({ exitCode: 0, changes: [{ type: "added", source: "file:changing/a.md" }] });
  expect(await changes()).toMatchObject({ changes: [], cursor: first.cursor });
  const id = first.changes[0].document_id;
  await agents("documents", "delete", id, "-n", "changing");
  const listed = await agents("changes", "-n", "changing", "--since", first.cursor);
  expect(listed).toMatchObject({ exitCode: 0, output: `- ${id}\n` });
  expect(await changes()).toMatchObject({ changes: [{ type: "deleted", document_id: id }] });
});

test("sync adds, replaces, renames and deletes what it brought, and embeds only what is new", async () => {
  const other = await write({ "kept.md": "Brought by hand." }, "hand");
  await agents("ingest", other, "-n", "notes");
  const docs = await write(
    { "a.md": "Alpha text.", "b/b.md": "Beta text.", "c.md": "Gamma text.", ".hidden.md": "x" },
    "notes",
  );
  const sync = (...args: string[]) => json("sync", docs, "-n", "notes", ...args);
  expect(await sync("--dry-run")).toMatchObject({ exitCode: 0, added: ["a.md", "b/b.md", "c.md"], dry_run: true });
  expect(await sourcesIn("notes")).toEqual(["file:hand/kept.md"]);
  expect(await sync()).toMatchObject({ exitCode: 0, added: ["a.md", "b/b.md", "c.md"], failed: [] });

  const embedded = () => provider.embeddingRequests.length;
  const before = embedded();
  expect(await sync()).toMatchObject({ exitCode: 0, added: [], replaced: [], deleted: [], unchanged: 3 });
  await rename(join(docs, "a.md"), join(docs, "b/z.md"));
  expect(await sync()).toMatchObject({
    renamed: [{ from: "a.md", to: "b/z.md" }],
    added: [],
    deleted: [],
    unchanged: 2,
  });
  expect(embedded()).toBe(before);

  await writeFile(join(docs, "c.md"), "Delta text.");
  await rm(join(docs, "b/b.md"));
  expect(await sync()).toMatchObject({ replaced: ["c.md"], deleted: ["b/b.md"], unchanged: 1 });
  expect(await sourcesIn("notes")).toEqual(["file:hand/kept.md", "file:notes/b/z.md", "file:notes/c.md"]);
});

test("sync leaves documents alone that something else brought under the same name, until it may adopt them", async () => {
  const docs = await write({ "one.md": "By hand." }, "taken");
  await agents("ingest", docs, "-n", "taken");
  await write({ "one.md": "By sync." }, "taken");
  expect(await json("sync", docs, "-n", "taken")).toMatchObject({
    exitCode: 1,
    added: [],
    failed: [{ name: "one.md", code: "not_ours" }],
  });
  await rm(join(docs, "one.md"));
  expect(await json("sync", docs, "-n", "taken")).toMatchObject({ exitCode: 0, deleted: [] });
  expect(await sourcesIn("taken")).toEqual(["file:taken/one.md"]);
  await write({ "one.md": "By sync." }, "taken");
  expect(await json("sync", docs, "-n", "taken", "--adopt")).toMatchObject({ exitCode: 0, added: ["one.md"] });
});

test("sync keeps what it brought from files that can't be read now, and asks before it deletes most of a folder", async () => {
  const names = Array.from({ length: 12 }, (_, index) => `${index}.txt`);
  const docs = await write(Object.fromEntries(names.map((name) => [name, `Text ${name}`])), "many");
  const state = join(folder, "many.json");
  const sync = (...args: string[]) => json("sync", docs, "-n", "many", "--links", "--state", state, ...args);
  expect((await sync()).added).toHaveLength(12);
  await rm(join(docs, "0.txt"));
  await symlink("nowhere", join(docs, "0.txt"));
  expect(await sync()).toMatchObject({ exitCode: 1, deleted: [], failed: [{ name: "0.txt", code: "unreadable" }] });
  await rm(docs, { recursive: true });
  await mkdir(docs);
  expect(await sync()).toMatchObject({
    exitCode: 1,
    error: { message: expect.stringContaining("12 of 12 are gone") },
  });
  expect(await sourcesIn("many")).toHaveLength(12);
  expect((await sync("--force")).deleted).toHaveLength(12);
  expect(await sourcesIn("many")).toEqual([]);
});

test("sync sends again what something else deleted: a whole namespace at once, single documents with --verify", async () => {
  const docs = await write({ "a.md": "Alpha to keep.", "b.md": "Beta to keep." }, "lost");
  const sync = (...args: string[]) => json("sync", docs, "-n", "lost", ...args);
  await sync();
  const { documents } = await json("documents", "-n", "lost");
  const alpha = (documents as { source: string; document_id: string }[]).find(({ source }) => source.endsWith("a.md"));
  await agents("documents", "delete", alpha?.document_id ?? "", "-n", "lost");
  expect(await sync()).toMatchObject({ unchanged: 2 });
  expect(await sync("--verify")).toMatchObject({ replaced: ["a.md"], unchanged: 1 });
  await fetch(`${environment.AGENTS_KNOWLEDGE_URL}/api/namespaces/lost`, { method: "DELETE" });
  expect(await sync()).toMatchObject({ exitCode: 0, replaced: ["a.md", "b.md"] });
  expect(await sourcesIn("lost")).toEqual(["file:lost/a.md", "file:lost/b.md"]);
});

test("a file that can't be read by the service fails once, and is tried again when it changes", async () => {
  const docs = await write({ "bad.pdf": "no PDF", "good.md": "Good text." }, "mixed");
  const sync = () => json("sync", docs, "-n", "mixed");
  const failure = { name: "bad.pdf", code: expect.stringMatching(/damaged|unsupported/) };
  expect(await sync()).toMatchObject({ exitCode: 1, added: ["good.md"], failed: [failure] });
  expect(await sync()).toMatchObject({ exitCode: 1, unchanged: 1, failed: [failure] });
  await rm(join(docs, "bad.pdf"));
  expect(await sync()).toMatchObject({ exitCode: 0, deleted: ["bad.pdf"] });
});

test("sync follows a sitemap: dates of change, pages without one, and pages that are gone", async () => {
  let entries = "";
  const texts: Record<string, string> = { "/a": "Page Alpha.", "/b": "Page Beta." };
  const requested: string[] = [];
  const site = createServer(({ url = "", headers }, response) => {
    const isSitemap = url === "/sitemap.xml";
    const etag = `"${texts[url]?.length}"`;
    if (headers["if-none-match"] === etag) {
      requested.push(`${url} 304`);
      return response.writeHead(304).end();
    }
    requested.push(url);
    const type = { "Content-Type": isSitemap ? "text/xml" : "text/html", ...(texts[url] && { ETag: etag }) };
    response.writeHead(isSitemap || texts[url] ? 200 : 404, type);
    response.end(isSitemap ? `<urlset>${entries}</urlset>` : `<title>${url}</title><p>${texts[url]}</p>`);
  });
  await new Promise<void>((listening) => site.listen(0, "127.0.0.1", listening));
  const origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
  const entry = (path: string, date = "") =>
    `<url><loc>${origin}${path}</loc>${date && `<lastmod>${date}</lastmod>`}</url>`;
  const sync = () => json("sync", `${origin}/sitemap.xml`, "-n", "site");
  const other = "<url><loc>https://elsewhere.example/x</loc></url>";

  entries = entry("/a", "2026-01-01") + entry("/b") + other;
  expect(await sync()).toMatchObject({ exitCode: 0, added: [`${origin}/a`, `${origin}/b`], failed: [] });
  requested.length = 0;
  const before = provider.embeddingRequests.length;
  expect(await sync()).toMatchObject({ exitCode: 0, added: [], replaced: [], unchanged: 2 });
  // A page without a date is asked for, and sent only if it has changed.
  expect(requested).toEqual(["/sitemap.xml", "/b 304"]);
  expect(provider.embeddingRequests.length).toBe(before);
  texts["/a"] = "Page Alpha, changed.";
  entries = entry("/a", "2026-01-02");
  expect(await sync()).toMatchObject({ exitCode: 0, replaced: [`${origin}/a`], deleted: [`${origin}/b`] });
  expect(await sourcesIn("site")).toEqual([`url:${origin}/a`]);
  entries = "";
  site.closeAllConnections();
  site.close();
  expect(await sync()).toMatchObject({
    exitCode: 1,
    error: { message: expect.stringContaining("could not be reached") },
  });
  expect(await sourcesIn("site")).toHaveLength(1);
});

test("a sync that Ctrl-C interrupts says how far it came, and the next one adds the rest", async () => {
  const docs = await write({ "a.md": "One alpha.", "b.md": "One beta." }, "interrupted");
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  provider.scriptEmbeddings(answer.embeddingsAfter(released));
  const asked = provider.embeddingRequests.length;
  const env = { ...process.env, ...environment };
  const syncing = spawn(resolve("cli/bin/agents"), ["sync", docs, "-n", "interrupted"], { env });
  const notes = text(syncing.stderr);
  await expect.poll(() => provider.embeddingRequests.length, { timeout: 10_000 }).toBeGreaterThan(asked);
  syncing.kill("SIGINT");
  expect(await once(syncing, "exit")).toEqual([130, null]);
  expect(await notes).toBe("Stopped: 0 of 2 are done. Run it again to continue.\n");
  release();
  const again = await json("sync", docs, "-n", "interrupted");
  expect(again).toMatchObject({ exitCode: 0, added: ["a.md", "b.md"], replaced: [], deleted: [], failed: [] });
  expect(await sourcesIn("interrupted")).toEqual(["file:interrupted/a.md", "file:interrupted/b.md"]);
});

test("a sync that watches sends what changes, names what fails once, and ends with Ctrl-C", async () => {
  const docs = await write({ "a.md": "First watched.", "bad.pdf": "no PDF" }, "watched");
  const env = { ...process.env, ...environment };
  const watching = spawn(resolve("cli/bin/agents"), ["sync", docs, "-n", "watched", "--watch"], {
    env,
  });
  const notes = text(watching.stderr);
  let output = "";
  watching.stdout.on("data", (data) => {
    output += data;
  });
  const inNamespace = (...names: string[]) =>
    expect.poll(() => sourcesIn("watched"), { timeout: 20_000 }).toEqual(names.map((name) => `file:watched/${name}`));
  await inNamespace("a.md");
  await write({ "b.md": "Second watched." }, "watched");
  await inNamespace("a.md", "b.md");
  await rm(join(docs, "a.md"));
  await inNamespace("b.md");
  await expect.poll(() => output).toMatch(/^0 added, .* 1 deleted/m);
  watching.kill("SIGINT");
  expect(await once(watching, "exit")).toEqual([130, null]);
  const lines = output.split("\n").filter((line) => /^[^\d]/.test(line));
  expect(lines).toEqual(["+ a.md", "+ b.md", "- a.md"]);
  expect((await notes).match(/^! bad\.pdf: .*/gm)).toHaveLength(1);
});

test("chat in a terminal prompts, names its commands, answers and ends with Ctrl-D", async () => {
  const env = { ...process.env, ...environment, TERM: "xterm" };
  // A pseudo terminal, as ssh has.
  const terminal = spawn("script", ["-qec", `"${resolve("cli/bin/agents")}" chat relay`, "/dev/null"], { env });
  let shown = "";
  terminal.stdout.on("data", (data) => {
    shown += data;
  });
  await expect.poll(() => shown, { timeout: 10_000 }).toContain("> ");
  terminal.stdin.write("/help\n");
  await expect.poll(() => shown, { timeout: 10_000 }).toContain("There is no /help. Ctrl-D or /exit ends it");
  terminal.stdin.write("How long do refunds take?\n");
  await expect.poll(() => shown, { timeout: 10_000 }).toMatch(/Refunds take 5 days\. \[1\][\s\S]*> /);
  terminal.stdin.write("\u0004");
  expect(await once(terminal, "exit")).toEqual([0, null]);
});

test("an export is a whole file that an import stores without embedding", async () => {
  const docs = await write({ "a.md": "# Moved\nText that moves to another namespace." }, "moved");
  await agents("ingest", docs, "-n", "moved");
  const file = join(folder, "moved.ndjson");
  const before = provider.embeddingRequests.length;
  expect(await json("export", file, "-n", "moved")).toMatchObject({ exitCode: 0, documents: 1, chunks: 1 });
  expect(await json("import", file, "-n", "copy")).toMatchObject({ exitCode: 0, saved: 1, skipped: 0, embedded: 0 });
  expect(await json("import", file, "-n", "copy")).toMatchObject({ exitCode: 0, saved: 0, skipped: 1 });
  expect(provider.embeddingRequests.length).toBe(before);
  expect(await sourcesIn("copy")).toEqual(["file:moved/a.md"]);
  await writeFile(file, "not an export\n");
  expect(await json("import", file, "-n", "copy")).toMatchObject({ exitCode: 1 });
});

test("eval measures search and citations, compares two settings, and fails below a hit rate", async () => {
  const docs = await write(
    { "refunds.md": "Refunds are paid in 5 working days.", "pumps.md": "The pump leaks at the seal." },
    "eval",
  );
  await agents("ingest", docs, "-n", "eval");
  const questions = [
    { question: "When are refunds paid?", sources: ["refunds.md"], quote: "5 working days" },
    { question: "Where does the pump leak?", sources: ["eval/pumps.md"] },
    { question: "Who won the football match?", sources: ["football.md"] },
    { question: "Who lost it?", sources: [] },
  ];
  const file = join(folder, "questions.jsonl");
  await writeFile(file, questions.map((question) => `${JSON.stringify(question)}\n`).join(""));
  const measured = await json(
    "eval",
    file,
    "-n",
    "eval",
    "--answers",
    "--min-hit-rate",
    "0.9",
    "--versus",
    "namespace=notes",
  );
  expect(measured).toMatchObject({
    exitCode: 1,
    questions: 4,
    settings: [
      { namespace: "eval", scores: { hit_rate: 2 / 3, ndcg: 2 / 3, exact_citations: 1 } },
      { namespace: "notes", scores: { hit_rate: 0 } },
    ],
  });
  const answered = await agents("eval", file, "-n", "eval", "--answers");
  expect(answered.output).toContain(
    "missed: Who won the football match?\nrefused, though answerable: Who won the football match?\n",
  );
  const compared = (await agents("eval", file, "-n", "eval", "--versus", "max-results=1")).output;
  expect(compared).toMatch(/^hit rate +0\.667 +0\.667 {2}\+0\.000$/m);
  await writeFile(file, '{"question": "No answer given"}');
  expect(await json("eval", file)).toMatchObject({
    exitCode: 2,
    error: { message: expect.stringContaining("questions.jsonl:1") },
  });
});

test("a file or folder that isn't there is named, and so is a namespace that a typing error made up", async () => {
  for (const command of ["import", "sync", "ingest", "eval"]) {
    const missed = await agents(command, join(folder, "missing"));
    expect(missed).toMatchObject({
      exitCode: 2,
      notes: expect.stringContaining(`nothing at ${join(folder, "missing")}`),
    });
  }
  const question = "When are refunds paid?";
  const file = join(folder, "one.jsonl");
  await writeFile(file, JSON.stringify({ question, sources: ["returns.md"] }));
  for (const [command, text] of Object.entries({ ask: question, search: question, eval: file })) {
    const missed = await agents(command, "-n", "manulas", text);
    expect(missed).toMatchObject({ exitCode: 1, notes: expect.stringContaining('no namespace "manulas"') });
  }
});

test("--version gives the day from which to read the upgrade notes", async () => {
  const printed = execFileSync(resolve("cli/bin/agents"), ["--version"], { encoding: "utf8" });
  expect(printed).toMatch(/^\d+\.\d+\.\d+, of \d{4}-\d\d-\d\d$/m);
});

test("top, relay and chat speak to the other services", async () => {
  expect(await json("top", "yesterday", "--limit", "2")).toMatchObject({
    exitCode: 0,
    action: "top_timeframe",
    limit: 2,
  });
  expect(await agents("relay", "Hello")).toEqual({ exitCode: 0, notes: "", output: "Refunds take 5 days. [1]\n" });
  expect((await agents("relay", "--events", "Hello")).output).toMatch(/^\{"type":"RUN_STARTED",/);
  const main = resolve("cli/dist/main.js");
  const chat = execFile(process.execPath, [main, "chat", "relay", "--json"], { cwd: folder, env: environment });
  chat.stdin?.end("Hello\n\n/exit\n");
  const lines = await new Promise((done) => chat.stdout?.once("data", (data) => done(String(data))));
  expect(JSON.parse(String(lines))).toEqual({ role: "assistant", content: "Refunds take 5 days. [1]" });
});

test("doctor finds no problem in services that run, and says what to do about those that don't", async () => {
  expect(await json("doctor", "--no-ask")).toMatchObject({
    exitCode: 1,
    // The listing service of this test has no token.
    findings: expect.arrayContaining([
      expect.objectContaining({ about: "knowledge", status: "ok" }),
      expect.objectContaining({ about: "relay", status: "ok" }),
      expect.objectContaining({ about: "listing's launches", status: "problem", fix: expect.any(String) }),
    ]),
  });
  const closed = await json("doctor", "relay", "--url", "http://127.0.0.1:1");
  expect(closed.findings).toEqual([
    expect.objectContaining({ status: "problem", fix: "npx --no-install agents serve relay" }),
  ]);
  const wrong = await json("doctor", "relay", "--url", environment.AGENTS_KNOWLEDGE_URL ?? "");
  expect(wrong.findings).toEqual([
    expect.objectContaining({ detail: expect.stringContaining("is knowledge, not relay") }),
  ]);
});

test("doctor names misspelt variables, wrong ports and another provider than the running service's", async () => {
  const env = {
    ...{ PATH: process.env.PATH, KNOWLEDGE_STORE: folder, LLM_API_KEY: "sk-test" },
    ...{ LLM_BASE_ULR: "http://x", LLM_BASE_URL: "http://127.0.0.1:9/v1", RELAY_PORT: "abc" },
    KNOWLEDGE_PORT: new URL(environment.AGENTS_KNOWLEDGE_URL ?? "").port,
  };
  const wrong = spawnSync(resolve("cli/bin/agents"), ["doctor", "--no-ask"], { env, encoding: "utf8" });
  expect(wrong.status).toBe(1);
  expect(wrong.stdout).toContain(
    "✗ variables of knowledge: LLM_BASE_ULR is read by nobody: did you mean LLM_BASE_URL?\n    fix: LLM_BASE_URL=http://x",
  );
  const { host } = new URL(provider.baseUrl);
  expect(wrong.stdout).toContain(
    `LLM_BASE_URL is ${env.LLM_BASE_URL}, but the running service was started with ${host}: restart it\n    fix: npm start`,
  );
  expect(wrong.stdout).toContain("✗ provider of the variables: Nothing listens at 127.0.0.1:9");
  expect(wrong.stdout).toContain('✗ relay: RELAY_PORT is "abc"; use a port from 1 to 65535, such as 8000.');
});

test("doctor asks a namespace that the key may use", async () => {
  const asked = await agents("doctor", "knowledge", "--namespace", "customer-7");
  expect(asked).toMatchObject({ exitCode: 0, output: expect.stringContaining("✓ streams of knowledge") });
});

test("doctor recognises a proxy that buffers streams", async () => {
  const proxy = createServer(async (request, response) => {
    const body = request.method === "POST" ? { body: await buffer(request) } : {};
    const headers = { "content-type": "application/json" };
    const upstream = await fetch(`${environment.AGENTS_RELAY_URL}${request.url}`, {
      method: request.method,
      headers,
      ...body,
    });
    const whole = Buffer.from(await upstream.arrayBuffer());
    if (request.method === "POST") await new Promise((done) => setTimeout(done, 450));
    response.writeHead(upstream.status, Object.fromEntries(upstream.headers)).end(whole);
  });
  await new Promise<void>((listening) => proxy.listen(0, "127.0.0.1", listening));
  const { port } = proxy.address() as AddressInfo;
  const { findings } = await json("doctor", "relay", "--url", `http://127.0.0.1:${port}`);
  expect(findings).toContainEqual(
    expect.objectContaining({
      about: "streams of relay",
      status: "problem",
      fix: expect.stringContaining("proxy_buffering off"),
    }),
  );
  proxy.closeAllConnections();
  proxy.close();
});

test("exit codes tell usage, unreachable services and refused keys apart", async () => {
  const refusing = createServer((_, response) => {
    response.writeHead(401, { "Content-Type": "application/problem+json" }).end('{"status":401,"detail":"No key."}');
  });
  await new Promise<void>((listening) => refusing.listen(0, "127.0.0.1", listening));
  const { port } = refusing.address() as AddressInfo;
  const failures: [string[], number, RegExp][] = [
    [["aks"], 2, /no command "aks"; did you mean ask\?/],
    [["ask"], 2, /The question is missing/],
    [["ask", "--colour", "x"], 2, /Unknown option '--colour'/],
    [["search", "x", "--max-results", "51"], 2, /--max-results is "51"; use a whole number from 1 to 50/],
    [["ask", "x", "--url", "localhost"], 2, /--url is "localhost"; use an http/],
    [["ask", "x", "--url", "http://127.0.0.1:1"], 3, /No response from http:\/\/127.0.0.1:1/],
    [["ask", "x", "--url", `http://127.0.0.1:${port}`], 4, /No key\. Send a key with AGENTS_KEY/],
    [["ingest", join(folder, "nothing-here")], 2, /There is nothing at .*nothing-here/],
    [["search", "x", "--filter", '{"a":{}}'], 1, /filter/],
  ];
  for (const [args, exitCode, says] of failures) {
    expect(await agents(...args), args.join(" ")).toEqual({ exitCode, output: "", notes: expect.stringMatching(says) });
    expect(await json(...args)).toMatchObject({ exitCode, error: { message: expect.stringMatching(says) } });
  }
  refusing.close();
});

test("bash completes commands, options and their values; zsh and fish know the same", () => {
  const complete = (...words: string[]) => {
    const variables = `COMP_WORDS=(agents ${words.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${words.length}`;
    const script = `${completionScript("bash", commands)}\n${variables}; _agents; echo "\${COMPREPLY[@]}"`;
    return execFileSync("bash", ["-c", script], { encoding: "utf8" }).trim().split(" ");
  };
  expect(complete("do")).toEqual(["documents", "doctor"]);
  expect(complete("sync", "--dr")).toEqual(["--dry-run"]);
  expect(complete("keys", "--scope", "r")).toEqual(["read"]);
  expect(complete("completion", "z")).toEqual(["zsh"]);
  for (const shell of ["zsh", "fish"] as const) {
    const script = completionScript(shell, commands);
    for (const { name, options } of commands) {
      for (const word of [name, ...Object.keys(options)]) expect(script).toContain(word);
    }
  }
});
