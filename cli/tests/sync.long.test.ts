import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, rename, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { join, resolve } from "node:path";
import { text } from "node:stream/consumers";
import { KnowledgeClient } from "@agent-backends/client";
import { answer } from "@agent-backends/testing";
import { listenOnLoopback } from "@agent-backends/testing/fixtures";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { startCommandLine } from "./command-line.ts";

const cli = await startCommandLine("knowledge");
afterAll(() => cli[Symbol.asyncDispose]());

test("sync adds, replaces, renames and deletes what it brought, and embeds only what is new", async () => {
  const other = await cli.write({ "kept.md": "Brought by hand." }, "hand");
  await cli.agents("ingest", other, "-n", "notes");
  const docs = await cli.write(
    { "a.md": "Alpha text.", "b/b.md": "Beta text.", "c.md": "Gamma text.", ".hidden.md": "x" },
    "notes",
  );
  const sync = (...args: string[]) => cli.json("sync", docs, "-n", "notes", ...args);
  expect(await sync("--dry-run")).toMatchObject({ exitCode: 0, added: ["a.md", "b/b.md", "c.md"], dry_run: true });
  expect(await cli.sourcesIn("notes")).toEqual(["file:hand/kept.md"]);
  expect(await sync()).toMatchObject({ exitCode: 0, added: ["a.md", "b/b.md", "c.md"], failed: [] });

  const embedded = () => cli.provider.embeddingRequests.length;
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
  expect(await cli.sourcesIn("notes")).toEqual(["file:hand/kept.md", "file:notes/b/z.md", "file:notes/c.md"]);
});

test("sync stores fields with what it sends, and keeps a title that was changed in between", async () => {
  const docs = await cli.write({ "a.md": "# Alpha", "b.md": "# Beta" }, "titled");
  const list = async () => (await cli.json("documents", "-n", "titled")).documents;
  const fields = ["--metadata", "tag=new", "--metadata", "tag=2026", "--metadata", "zip=01067"];
  await cli.json("sync", docs, "-n", "titled", ...fields);
  const client = new KnowledgeClient({ baseUrl: cli.environment.AGENTS_KNOWLEDGE_URL ?? "" });
  for (const { document_id } of await list()) await client.updateDocument("titled", document_id, { title: "Ours" });
  await writeFile(join(docs, "a.md"), "# Alpha\n\nMore.");
  expect(await cli.json("sync", docs, "-n", "titled")).toMatchObject({ replaced: ["a.md"], unchanged: 1 });
  const after = await list();
  expect(after).toMatchObject([{ title: "Ours" }, { title: "Ours" }]);
  const changed = await client.getDocument("titled", after[1].document_id);
  expect(changed.metadata).toMatchObject({ filename: "titled/a.md", tag: ["new", 2026], zip: "01067" });
  await rename(join(docs, "a.md"), join(docs, "c.md"));
  expect(await cli.json("sync", docs, "-n", "titled")).toMatchObject({ renamed: [{ to: "c.md" }], unchanged: 1 });
  expect((await list())[1]).toMatchObject({ source: "file:titled/c.md", title: "Ours" });
});

test("sync reports files that take over each other's names as replaced, and is settled after that", async () => {
  const docs = await cli.write({ "1.md": "Chapter one.", "2.md": "Chapter two.", "3.md": "Chapter three." }, "shifted");
  const sync = (...args: string[]) => cli.json("sync", docs, "-n", "shifted", ...args);
  const move = (from: string, to: string) => rename(join(docs, from), join(docs, to));
  const hashes = async () => {
    const { documents } = await cli.json("documents", "-n", "shifted");
    const found = documents as { source: string; hash: string }[];
    return Object.fromEntries(found.map(({ source, hash }) => [source, hash]));
  };
  const expectSettled = async () => {
    const settled = { replaced: [], added: [], deleted: [], unchanged: 3 };
    expect(await sync("--dry-run")).toMatchObject(settled);
    expect(await sync()).toMatchObject(settled);
    expect((await cli.agents("sync", docs, "-n", "shifted")).notes).toBe("");
  };
  await sync();
  const before = await hashes();
  await move("2.md", "x.md");
  await move("3.md", "2.md");
  await move("x.md", "3.md");
  expect(await sync()).toMatchObject({ exitCode: 0, replaced: ["2.md", "3.md"], unchanged: 1 });
  const [second, third] = ["file:shifted/2.md", "file:shifted/3.md"];
  expect(await hashes()).toEqual({ ...before, [second]: before[third], [third]: before[second] });
  await expectSettled();
  await move("3.md", "4.md");
  await move("2.md", "3.md");
  await move("1.md", "2.md");
  expect(await sync()).toMatchObject({ added: ["4.md"], replaced: ["2.md", "3.md"], deleted: ["1.md"] });
  await expectSettled();
});

test("sync of a folder that was moved names the options that continue its sync", async () => {
  const old = await cli.write({ "a.md": "Moved alpha.", "b.md": "Moved beta." }, "alt");
  await cli.json("sync", old, "-n", "moved");
  const docs = join(cli.folder, "neu");
  await rename(old, docs);
  await rm(join(docs, "b.md"));
  const refused = await cli.json("sync", docs, "-n", "moved");
  expect(refused).toMatchObject({ exitCode: 1, error: { message: expect.stringContaining("as file:alt/…, from ") } });
  const [, name = "", state = ""] = /--as '(.+?)' --state '(.+?)'/.exec(refused.error.message) ?? [];
  const sync = () => cli.json("sync", docs, "-n", "moved", "--as", name, "--state", state);
  expect(await sync()).toMatchObject({ exitCode: 0, added: [], deleted: ["b.md"], unchanged: 1 });
  await cli.write({ "a.md": "Moved alpha, edited." }, "neu");
  expect(await sync()).toMatchObject({ exitCode: 0, replaced: ["a.md"] });
  expect(await cli.sourcesIn("moved")).toEqual(["file:alt/a.md"]);
  expect(await cli.json("sync", docs, "-n", "moved")).toMatchObject({ exitCode: 1 });
});

test("sync leaves documents alone that something else brought under the same name, until it may adopt them", async () => {
  const docs = await cli.write({ "one.md": "By hand." }, "taken");
  await cli.agents("ingest", docs, "-n", "taken");
  await cli.write({ "one.md": "By sync." }, "taken");
  expect(await cli.json("sync", docs, "-n", "taken")).toMatchObject({
    exitCode: 1,
    added: [],
    failed: [{ name: "one.md", code: "not_ours" }],
  });
  await rm(join(docs, "one.md"));
  expect(await cli.json("sync", docs, "-n", "taken")).toMatchObject({ exitCode: 0, deleted: [] });
  expect(await cli.sourcesIn("taken")).toEqual(["file:taken/one.md"]);
  await cli.write({ "one.md": "By sync." }, "taken");
  expect(await cli.json("sync", docs, "-n", "taken", "--adopt")).toMatchObject({ exitCode: 0, added: ["one.md"] });
});

test("sync keeps what it brought from files that can't be read now, and asks before it deletes most of a folder", async () => {
  const names = Array.from({ length: 12 }, (_, index) => `${index}.txt`);
  const docs = await cli.write(Object.fromEntries(names.map((name) => [name, `Text ${name}`])), "many");
  const state = join(cli.folder, "many.json");
  const sync = (...args: string[]) => cli.json("sync", docs, "-n", "many", "--links", "--state", state, ...args);
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
  expect(await cli.sourcesIn("many")).toHaveLength(12);
  expect((await sync("--force")).deleted).toHaveLength(12);
  expect(await cli.sourcesIn("many")).toEqual([]);
});

test("sync sends again what something else deleted: a whole namespace at once, single documents, also replaced ones, with --verify", async () => {
  const docs = await cli.write({ "a.md": "Alpha to keep." }, "lost");
  const sync = (...args: string[]) => cli.json("sync", docs, "-n", "lost", ...args);
  await sync();
  // By itself, sync looks only for the document that it stored last.
  await cli.write({ "b.md": "Beta to keep." }, "lost");
  await sync();
  const { documents } = await cli.json("documents", "-n", "lost");
  const alpha = (documents as { source: string; document_id: string }[]).find(({ source }) => source.endsWith("a.md"));
  await cli.agents("documents", "delete", alpha?.document_id ?? "", "-n", "lost");
  expect(await sync()).toMatchObject({ unchanged: 2 });
  expect(await sync("--verify")).toMatchObject({ replaced: ["a.md"], unchanged: 1 });
  const client = new KnowledgeClient({ baseUrl: cli.environment.AGENTS_KNOWLEDGE_URL ?? "" });
  const older = { name: "lost/b.md", content: new TextEncoder().encode("Beta, as in the backup.") };
  await client.ingest({ namespace: "lost", on_conflict: "replace", files: [older] });
  expect(await sync()).toMatchObject({ unchanged: 2 });
  const embedded = cli.provider.embeddingRequests.length;
  expect(await sync("--verify")).toMatchObject({ replaced: ["b.md"], unchanged: 1 });
  expect(cli.provider.embeddingRequests.length).toBe(embedded + 1);
  // As after a restored backup: the document that was stored last is an older one.
  await client.ingest({ namespace: "lost", on_conflict: "replace", files: [older] });
  expect(await sync()).toMatchObject({ replaced: ["b.md"], unchanged: 1 });
  expect(await sync()).toMatchObject({ replaced: [], unchanged: 2 });
  await fetch(`${cli.environment.AGENTS_KNOWLEDGE_URL}/api/namespaces/lost`, { method: "DELETE" });
  expect(await sync()).toMatchObject({ exitCode: 0, added: ["a.md", "b.md"], replaced: [] });
  expect(await cli.sourcesIn("lost")).toEqual(["file:lost/a.md", "file:lost/b.md"]);
});

test("sync says which documents go because patterns leave their files out", async () => {
  const docs = await cli.write({ "a.md": "Left in.", "b.txt": "Left out." }, "narrowed");
  await cli.json("sync", docs, "-n", "narrowed");
  const { output } = await cli.agents("sync", docs, "-n", "narrowed", "--include", "*.md", "--dry-run");
  expect(output).toContain("- b.txt (left out now)\n");
});

test("a file that can't be read by the service fails once, and is tried again when it changes", async () => {
  const docs = await cli.write({ "bad.pdf": "no PDF", "good.md": "Good text." }, "mixed");
  const sync = () => cli.json("sync", docs, "-n", "mixed");
  const failure = { name: "bad.pdf", code: expect.stringMatching(/damaged|unsupported/) };
  expect(await sync()).toMatchObject({ exitCode: 1, added: ["good.md"], failed: [failure] });
  expect(await sync()).toMatchObject({ exitCode: 1, unchanged: 1, failed: [failure] });
  await rm(join(docs, "bad.pdf"));
  expect(await sync()).toMatchObject({ exitCode: 0, deleted: [] });
});

test("a dry run needs no lock and leaves none, and a service that isn't there fails at once", async () => {
  const docs = await cli.write({ "a.md": "Locked text." }, "locked");
  const state = join(cli.folder, "locked.json");
  await writeFile(`${state}.lock`, String(process.ppid));
  const sync = (...args: string[]) => cli.json("sync", docs, "-n", "locked", "--state", state, ...args);
  expect(await sync()).toMatchObject({
    exitCode: 1,
    error: { message: expect.stringContaining("already syncing this") },
  });
  expect(await sync("--dry-run")).toMatchObject({ exitCode: 0, dry_run: true, added: ["a.md"] });
  await rm(`${state}.lock`);
  expect(await sync("--url", "http://127.0.0.1:1")).toMatchObject({ exitCode: 3 });
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
  const origin = await listenOnLoopback(site, onTestFinished);
  const entry = (path: string, date = "") =>
    `<url><loc>${origin}${path}</loc>${date && `<lastmod>${date}</lastmod>`}</url>`;
  const sync = () => cli.json("sync", `${origin}/sitemap.xml`, "-n", "site");
  const other = "<url><loc>https://elsewhere.example/x</loc></url>";

  entries = entry("/a", "2026-01-01") + entry("/b") + other;
  expect(await sync()).toMatchObject({ exitCode: 0, added: [`${origin}/a`, `${origin}/b`], failed: [] });
  requested.length = 0;
  const before = cli.provider.embeddingRequests.length;
  expect(await sync()).toMatchObject({ exitCode: 0, added: [], replaced: [], unchanged: 2 });
  // A page without a date is asked for, and sent only if it has changed.
  expect(requested).toEqual(["/sitemap.xml", "/b 304"]);
  expect(cli.provider.embeddingRequests.length).toBe(before);
  texts["/a"] = "Page Alpha, changed.";
  entries = entry("/a", "2026-01-02");
  expect(await sync()).toMatchObject({ exitCode: 0, replaced: [`${origin}/a`], deleted: [`${origin}/b`] });
  expect(await cli.sourcesIn("site")).toEqual([`url:${origin}/a`]);
  entries = "";
  site.closeAllConnections();
  site.close();
  expect(await sync()).toMatchObject({
    exitCode: 1,
    error: { message: expect.stringContaining("could not be reached") },
  });
  expect(await cli.sourcesIn("site")).toHaveLength(1);
});

test("a sync that Ctrl-C interrupts says how far it came, and the next one adds the rest", async () => {
  const docs = await cli.write({ "a.md": "One alpha.", "b.md": "One beta." }, "interrupted");
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  cli.provider.scriptEmbeddings(answer.embeddingsAfter(released));
  const asked = cli.provider.embeddingRequests.length;
  const env = { ...process.env, ...cli.environment };
  const syncing = spawn(resolve("cli/bin/agents"), ["sync", docs, "-n", "interrupted"], { env });
  const notes = text(syncing.stderr);
  await expect.poll(() => cli.provider.embeddingRequests.length, { timeout: 10_000 }).toBeGreaterThan(asked);
  syncing.kill("SIGINT");
  expect(await once(syncing, "exit")).toEqual([130, null]);
  expect(await notes).toBe("Stopped: 0 of 2 are done. Run it again to continue.\n");
  release();
  const again = await cli.json("sync", docs, "-n", "interrupted");
  expect(again).toMatchObject({ exitCode: 0, added: ["a.md", "b.md"], replaced: [], deleted: [], failed: [] });
  expect(await cli.sourcesIn("interrupted")).toEqual(["file:interrupted/a.md", "file:interrupted/b.md"]);
});

test("a sync that watches sends what changes, names what fails once, and ends with Ctrl-C", async () => {
  const docs = await cli.write({ "a.md": "First watched.", "bad.pdf": "no PDF" }, "watched");
  const env = { ...process.env, ...cli.environment };
  const watching = spawn(resolve("cli/bin/agents"), ["sync", docs, "-n", "watched", "--watch"], {
    env,
  });
  const notes = text(watching.stderr);
  let output = "";
  watching.stdout.on("data", (data) => {
    output += data;
  });
  const inNamespace = (...names: string[]) =>
    expect
      .poll(() => cli.sourcesIn("watched"), { timeout: 20_000 })
      .toEqual(names.map((name) => `file:watched/${name}`));
  await inNamespace("a.md");
  await cli.write({ "b.md": "Second watched." }, "watched");
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
