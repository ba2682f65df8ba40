import { execFile, execFileSync, spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { readFile, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { join, resolve } from "node:path";
import { buffer } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { problems } from "@agent-backends/contract";
import { answer, createSelfSignedCertificate, serviceMains, startService } from "@agent-backends/testing";
import { listenOnLoopback } from "@agent-backends/testing/fixtures";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { commands } from "../commands/index.ts";
import { completionScript } from "../terminal/completion.ts";
import { startCommandLine, usualAnswer } from "./command-line.ts";

const cli = await startCommandLine("knowledge", "listing", "relay");
afterAll(() => cli[Symbol.asyncDispose]());

test("the command runs on any Node, from any folder, and prints no colours to a pipe", async () => {
  const bin = join(cli.folder, "agents");
  await symlink(resolve("cli/bin/agents"), bin);
  // The machine's Node, if it has one, instead of the project's.
  const options = { cwd: cli.folder, env: { PATH: "/usr/local/bin:/usr/bin:/bin" }, encoding: "utf8" as const };
  const help = execFileSync(bin, ["help"], options);
  for (const { name, summary } of commands) expect(help).toMatch(new RegExp(`^  ${name} +${summary}$`, "m"));
  expect(help).not.toContain("\u001B");
});

test("every command has help with its options and examples", async () => {
  const { output } = await cli.agents("help");
  for (const args of [["--json"], ["help", "--json"]]) expect(await cli.agents(...args)).toMatchObject({ output });
  for (const { name, examples } of commands) {
    const { exitCode, output } = await cli.agents(name, "--help");
    expect([exitCode, output]).toEqual([0, expect.stringContaining(`Usage: agents ${name}`)]);
    expect(examples.length, name).toBeGreaterThan(0);
  }
});

test("ingest, search, ask and documents work on what was ingested", async () => {
  const docs = await cli.write(
    { "returns.md": "# Returns\nRefunds are paid within 5 working days.", ".secret": "x", "logo.png": "x" },
    "shop",
  );
  expect(
    await cli.json("ingest", docs, "-n", "shop", "--metadata", "team=sales", "--metadata", "year=2026"),
  ).toMatchObject({
    exitCode: 0,
    saved: [{ source: "file:shop/returns.md", chunks: 1 }],
    skipped: [],
    errors: [],
  });
  expect(await cli.json("ingest", docs, "-n", "shop")).toMatchObject({ saved: [], skipped: [{ title: "Returns" }] });
  const found = await cli.json(
    "search",
    "refunds",
    "-n",
    "shop",
    "--filter",
    '{"team":"sales"}',
    "--filter",
    "year=2026",
  );
  expect(found.results[0]).toMatchObject({ title: "Returns", source: "file:shop/returns.md" });
  const answered = await cli.agents("ask", "-n", "shop", "When", "are", "refunds", "paid?");
  expect(answered).toMatchObject({ exitCode: 0, notes: "" });
  expect(answered.output).toMatch(
    /^Refunds take 5 days\. \[1\]\n\n\[1\] Returns file:shop\/returns\.md · Returns\n {4}“Refunds are paid/,
  );
  expect(await cli.json("ask", "-n", "shop", "When are refunds paid?")).toMatchObject({
    content: "Refunds take 5 days. [1]",
    citations: [{ n: 1 }],
  });
  const cut = { choices: [{ index: 0, delta: { content: "Refunds" }, finish_reason: "length" }] };
  cli.provider.script(answer.bytes([`data: ${JSON.stringify(cut)}\n\ndata: [DONE]\n\n`]));
  expect((await cli.agents("ask", "-n", "shop", "When?")).notes).toMatch(/^The answer was cut off: .*length limit/);
  cli.provider.script(usualAnswer);
  const { documents } = await cli.json("documents", "-n", "shop");
  expect(await cli.json("documents", "delete", documents[0].document_id, "-n", "shop")).toMatchObject({ exitCode: 0 });
  expect(await cli.json("documents", "show", documents[0].document_id, "-n", "shop")).toMatchObject({ exitCode: 1 });
});

test("documents says that none has a source or fields, and how sources begin", async () => {
  await cli.agents("ingest", await cli.write({ "a.md": "Listed text." }, "listed"), "-n", "listed");
  const list = async (...args: string[]) => (await cli.agents("documents", "-n", "listed", ...args)).output;
  expect(await list("--source", "a.md")).toBe(
    'No document in listed has the source "a.md". Sources of files begin with file:, those of pages with url:, such as file:a/README.md.\n',
  );
  expect(await list("--source", "file:b.md")).toBe('No document in listed has the source "file:b.md".\n');
  expect(await list("--filter", '{"team":"x"}')).toBe('No document in listed has the fields {"team":"x"}.\n');
  expect((await cli.agents("documents", "-n", "bare")).output).toBe("There are no documents in bare.\n");
});

test("ingest works with a key that may only write, and ask with one that may only ask", async () => {
  const keys = Object.entries({ writer: "write", asker: "ask" }).map(([name, scope]) => {
    const sha256 = createHash("sha256").update(name).digest("hex");
    return { name, sha256, namespaces: ["*"], scopes: [scope] };
  });
  const folder = await cli.write(
    { "keys.json": JSON.stringify({ keys }), "docs/a.md": "Text A.", "docs/b.pdf": "x" },
    "keyed",
  );
  const service = await startService(resolve(serviceMains.knowledge), {
    LLM_BASE_URL: cli.provider.baseUrl,
    KNOWLEDGE_STORE: join(folder, "store"),
    AUTH_KEYS_FILE: join(folder, "keys.json"),
  });
  try {
    const ingest = () => cli.json("ingest", join(folder, "docs"), "--key", "writer", "--url", service.baseUrl);
    const errors = [{ source: "file:docs/b.pdf", code: expect.any(String) }];
    expect(await ingest()).toMatchObject({ exitCode: 1, saved: [{ source: "file:docs/a.md" }], skipped: [], errors });
    expect(await ingest()).toMatchObject({ exitCode: 1, saved: [], skipped: [{ source: "file:docs/a.md" }], errors });
    const asked = await cli.json("ask", "What is new?", "-n", "empty", "--key", "asker", "--url", service.baseUrl);
    expect(asked).toMatchObject({ exitCode: 0, citations: [] });
  } finally {
    await service.end();
  }
});

test("changes lists all documents once, and then what has changed since", async () => {
  const docs = await cli.write({ "a.md": "Alpha text." }, "changing");
  await cli.agents("ingest", docs, "-n", "changing");
  const state = join(cli.folder, "changing.cursor");
  const changes = (...args: string[]) => cli.json("changes", "-n", "changing", "--state", state, ...args);
  const first = await changes();
  expect(first).toMatchObject({ exitCode: 0, changes: [{ type: "added", source: "file:changing/a.md" }] });
  expect(await changes()).toMatchObject({ changes: [], cursor: first.cursor });
  const id = first.changes[0].document_id;
  await cli.agents("documents", "delete", id, "-n", "changing");
  const listed = await cli.agents("changes", "-n", "changing", "--since", first.cursor);
  expect(listed).toMatchObject({ exitCode: 0, output: `- ${id}\n` });
  expect(await changes()).toMatchObject({ changes: [{ type: "deleted", document_id: id }] });
});

test("chat in a terminal prompts, answers, stops an answer with Ctrl-C and ends with Ctrl-D, also during one", async () => {
  const env = { ...process.env, ...cli.environment, TERM: "xterm" };
  // A pseudo terminal, as ssh has.
  const terminal = spawn("script", ["-qec", `"${resolve("cli/bin/agents")}" chat relay`, "/dev/null"], { env });
  let shown = "";
  terminal.stdout.on("data", (data) => {
    shown += data;
  });
  await expect.poll(() => shown, { timeout: 10_000 }).toContain("> ");
  terminal.stdin.write("/help\n");
  await expect.poll(() => shown, { timeout: 10_000 }).toContain("There is no /help. Ctrl-C stops an answer");
  terminal.stdin.write("How long do refunds take?\n");
  await expect.poll(() => shown, { timeout: 10_000 }).toMatch(/Refunds take 5 days\. \[1\][\s\S]*> /);
  cli.provider.script([answer.hangAfter("Refunds never "), answer.hangAfter("Refunds always ")]);
  terminal.stdin.write("And then?\n");
  await expect.poll(() => shown, { timeout: 10_000 }).toContain("Refunds never");
  terminal.stdin.write("\u0003");
  await expect.poll(() => shown, { timeout: 10_000 }).toMatch(/Stopped\.[\s\S]*> /);
  terminal.stdin.write("And now?\n");
  await expect.poll(() => shown, { timeout: 10_000 }).toContain("Refunds always");
  terminal.stdin.write("\u0004");
  expect(await once(terminal, "exit")).toEqual([0, null]);
  expect(shown).not.toContain("Error");
  cli.provider.script(usualAnswer);
});

test("an export is a whole file that an import stores without embedding", async () => {
  const docs = await cli.write({ "a.md": "# Moved\nText that moves to another namespace." }, "moved");
  await cli.agents("ingest", docs, "-n", "moved");
  const file = join(cli.folder, "moved.ndjson");
  const before = cli.provider.embeddingRequests.length;
  expect(await cli.json("export", file, "-n", "moved")).toMatchObject({ exitCode: 0, documents: 1, chunks: 1 });
  expect(await cli.json("import", file, "-n", "copy")).toMatchObject({
    exitCode: 0,
    saved: 1,
    skipped: 0,
    embedded: 0,
  });
  expect(await cli.json("import", file, "-n", "copy")).toMatchObject({ exitCode: 0, saved: 0, skipped: 1 });
  expect(cli.provider.embeddingRequests.length).toBe(before);
  expect(await cli.sourcesIn("copy")).toEqual(["file:moved/a.md"]);
  expect((await cli.agents("export", file, "-n", "moved")).output).toContain("moved.ndjson, which was replaced · ");
  await writeFile(`${file}.gz`, gzipSync(await readFile(file)));
  expect(await cli.json("import", `${file}.gz`, "-n", "unpacked")).toMatchObject({
    exitCode: 0,
    saved: 1,
    embedded: 0,
  });
  await writeFile(`${file}.gz`, gzipSync(await readFile(file)).subarray(0, -20));
  expect(await cli.agents("import", `${file}.gz`, "-n", "unpacked")).toMatchObject({
    exitCode: 1,
    notes: expect.stringContaining("moved.ndjson.gz can't be decompressed: unexpected end of file"),
  });
  await writeFile(file, "not an export\n");
  expect(await cli.json("import", file, "-n", "copy")).toMatchObject({ exitCode: 1 });
});

test("eval measures search and citations, compares two settings, and fails below a hit rate", async () => {
  const docs = await cli.write(
    { "refunds.md": "Refunds are paid in 5 working days.", "pumps.md": "The pump leaks at the seal." },
    "eval",
  );
  await cli.agents("ingest", docs, "-n", "eval");
  const questions = [
    { question: "When are refunds paid?", sources: ["refunds.md"], quote: "5 working days" },
    { question: "Where does the pump leak?", sources: ["eval/pumps.md"] },
    { question: "Who won the football match?", sources: ["football.md"] },
    { question: "Who lost it?", sources: [] },
  ];
  const file = join(cli.folder, "questions.jsonl");
  await writeFile(file, questions.map((question) => `${JSON.stringify(question)}\n`).join(""));
  const measured = await cli.json(
    "eval",
    file,
    "-n",
    "eval",
    "--answers",
    "--min-hit-rate",
    "0.9",
    "--versus",
    "namespace=moved",
  );
  expect(measured).toMatchObject({
    exitCode: 1,
    questions: 4,
    settings: [
      { namespace: "eval", scores: { hit_rate: 2 / 3, ndcg: 2 / 3, exact_citations: 1 } },
      { namespace: "moved", scores: { hit_rate: 0 } },
    ],
  });
  const answered = await cli.agents("eval", file, "-n", "eval", "--answers");
  expect(answered.output).toContain(
    "missed: Who won the football match?\nrefused, although it can be answered: Who won the football match?\n",
  );
  const compared = (await cli.agents("eval", file, "-n", "eval", "--versus", "max-results=1")).output;
  expect(compared).toMatch(/^hit rate +0\.667 +0\.667 {2}\+0\.000$/m);
  await writeFile(file, '{"question": "No answer given"}');
  expect(await cli.json("eval", file)).toMatchObject({
    exitCode: 2,
    error: { message: expect.stringContaining("questions.jsonl:1") },
  });
});

test("a file or folder that isn't there is named, and so is a namespace that a typing error made up", async () => {
  for (const command of ["import", "sync", "ingest", "eval"]) {
    const missed = await cli.agents(command, join(cli.folder, "missing"));
    expect(missed).toMatchObject({
      exitCode: 2,
      notes: expect.stringContaining(`no file or folder ${join(cli.folder, "missing")}`),
    });
  }
  const question = "When are refunds paid?";
  const file = join(cli.folder, "one.jsonl");
  await writeFile(file, JSON.stringify({ question, sources: ["returns.md"] }));
  await cli.agents("ingest", await cli.write({ "a.md": "Refunds." }, "near"), "-n", "manuals");
  for (const [command, text] of Object.entries({ ask: question, search: question, eval: file })) {
    const missed = await cli.agents(command, "-n", "manulas", text);
    const notes = expect.stringContaining('no documents in the namespace "manulas"; did you mean "manuals"?');
    expect(missed).toMatchObject({ exitCode: 1, notes });
  }
});

test("--version gives the day from which to read the upgrade notes", async () => {
  const printed = execFileSync(resolve("cli/bin/agents"), ["--version"], { encoding: "utf8" });
  expect(printed).toMatch(/^\d+\.\d+\.\d+, of \d{4}-\d\d-\d\d$/m);
});

test("top, relay and chat speak to the other services", async () => {
  expect(await cli.json("top", "yesterday", "--limit", "2")).toMatchObject({
    exitCode: 0,
    action: "top_timeframe",
    limit: 2,
  });
  expect(await cli.agents("relay", "Hello")).toEqual({ exitCode: 0, notes: "", output: "Refunds take 5 days. [1]\n" });
  expect((await cli.agents("relay", "--events", "Hello")).output).toMatch(/^\{"type":"RUN_STARTED",/);
  const main = resolve("cli/dist/main.js");
  const chat = execFile(process.execPath, [main, "chat", "relay", "--json"], { cwd: cli.folder, env: cli.environment });
  chat.stdin?.end("Hello\n\n/exit\n");
  const lines = await new Promise((done) => chat.stdout?.once("data", (data) => done(String(data))));
  expect(JSON.parse(String(lines))).toEqual({ role: "assistant", content: "Refunds take 5 days. [1]" });
});

test("top says when there is nothing to show, and why", async () => {
  // The listing service of this test has no token.
  const { output } = await cli.agents("top", "--search", "zzzzqqq");
  expect(output).toMatch(/^There are no launches to show \(\w+\)\.\n$/);
});

test("chat without a terminal fails if a message isn't answered", async () => {
  const env = { ...process.env, ...cli.environment, AGENTS_RELAY_URL: "http://127.0.0.1:1" };
  const failed = spawnSync(resolve("cli/bin/agents"), ["chat", "relay"], { env, input: "Hello\n", encoding: "utf8" });
  expect(failed).toMatchObject({ status: 3, stderr: expect.stringContaining("No response from http://127.0.0.1:1") });
});

test("a search says by which similarity it found nothing", async () => {
  await cli.agents("ingest", await cli.write({ "a.md": "Boilers are serviced yearly." }, "boilers"), "-n", "boilers");
  const { output } = await cli.agents("search", "boilers", "-n", "boilers", "--min-score", "1");
  expect(output).toBe("Nothing found in boilers with a similarity of 1 or more.\n");
});

test("doctor finds no problem in services that run, and says what to do about those that don't", async () => {
  expect(await cli.json("doctor", "--no-ask")).toMatchObject({
    exitCode: 1,
    // The listing service of this test has no token.
    findings: expect.arrayContaining([
      expect.objectContaining({ about: "knowledge", status: "ok" }),
      expect.objectContaining({ about: "relay", status: "ok" }),
      expect.objectContaining({ about: "listing's launches", status: "problem", fix: expect.any(String) }),
    ]),
  });
  const closed = await cli.json("doctor", "relay", "--url", "http://127.0.0.1:1");
  expect(closed.findings).toEqual([
    expect.objectContaining({ status: "problem", fix: "npx --no-install agents serve relay" }),
  ]);
  const secure = createSecureServer(createSelfSignedCertificate("localhost"));
  const url = (await listenOnLoopback(secure, onTestFinished)).replace("http:", "https:");
  const untrusted = await cli.json("doctor", "relay", "--url", url);
  expect(untrusted.findings).toEqual([
    expect.objectContaining({
      detail: expect.stringContaining("isn't trusted (DEPTH_ZERO_SELF_SIGNED_CERT)"),
      fix: "export NODE_EXTRA_CA_CERTS=/path/to/ca.pem",
    }),
  ]);
  const wrong = await cli.json("doctor", "relay", "--url", cli.environment.AGENTS_KNOWLEDGE_URL ?? "");
  expect(wrong.findings).toEqual([
    { about: "relay", status: "problem", detail: expect.stringContaining("is knowledge, not relay") },
  ]);
});

test("doctor names misspelt variables, wrong ports and another provider than the running service's", async () => {
  const env = {
    ...{ PATH: process.env.PATH, KNOWLEDGE_STORE: cli.folder, LLM_API_KEY: "sk-test" },
    ...{ LLM_BASE_ULR: "http://x", LLM_BASE_URL: "http://127.0.0.1:9/v1", RELAY_PORT: "abc" },
    KNOWLEDGE_PORT: new URL(cli.environment.AGENTS_KNOWLEDGE_URL ?? "").port,
    HOST: "0.0.0.0",
    AUTH_KEYS_FILE: join(cli.folder, "no-keys.json"),
  };
  const wrong = spawnSync(resolve("cli/bin/agents"), ["doctor", "--no-ask"], { env, encoding: "utf8" });
  expect(wrong.status).toBe(1);
  expect(wrong.stdout).toContain(
    "✗ variables of knowledge: LLM_BASE_ULR is not a known variable: did you mean LLM_BASE_URL?\n    fix (a line of .env): LLM_BASE_URL=http://x",
  );
  expect(wrong.stdout).toContain(
    `✗ variables of knowledge: AUTH_KEYS_FILE ${env.AUTH_KEYS_FILE} can't be read (ENOENT)`,
  );
  const { host } = new URL(cli.provider.baseUrl);
  expect(wrong.stdout).toContain(
    `LLM_BASE_URL is ${env.LLM_BASE_URL}, but the running service was started with ${host}: restart it\n    fix: npm start`,
  );
  expect(wrong.stdout).toContain(
    "· key for knowledge: others can reach it, and it asks for no key\n    fix: npm run keys",
  );
  expect(wrong.stdout).toContain("✗ provider of the variables: Nothing listens at 127.0.0.1:9");
  expect(wrong.stdout).toContain('✗ relay: RELAY_PORT is "abc"; use a port from 1 to 65535, such as 8000.');
  const fallback = { ...env, LLM_FALLBACKS: "https://other.example.com/v1" };
  const cut = spawnSync(resolve("cli/bin/agents"), ["doctor", "relay", "--no-ask"], {
    env: fallback,
    encoding: "utf8",
  });
  expect(cut.stdout).toContain(
    "(a line of .env): LLM_FALLBACKS=https://api.example.com/v1 EXAMPLE_API_KEY small-model\n",
  );
});

test("output that can't be written is named, and fails", () => {
  const { status, stderr } = spawnSync("sh", ["-c", "cli/bin/agents help > /dev/full"], { encoding: "utf8" });
  expect([status, stderr]).toEqual([1, expect.stringMatching(/^agents: the output can't be written: ENOSPC/)]);
});

test("doctor asks a namespace that the key may use", async () => {
  const asked = await cli.agents("doctor", "knowledge", "--namespace", "customer-7");
  expect(asked).toMatchObject({ exitCode: 0, output: expect.stringContaining("✓ streams of knowledge") });
});

test.each([
  ["recognises a proxy that buffers streams", 2, "problem"],
  ["doesn't take a slow start for a proxy that buffers streams", 1, "ok"],
])("doctor %s", async (_what, slowAnswers, status) => {
  let answers = 0;
  const proxy = createServer(async (request, response) => {
    const body = request.method === "POST" ? { body: await buffer(request) } : {};
    const headers = { "content-type": "application/json" };
    const upstream = await fetch(`${cli.environment.AGENTS_RELAY_URL}${request.url}`, {
      method: request.method,
      headers,
      ...body,
    });
    const whole = Buffer.from(await upstream.arrayBuffer());
    if (request.method === "POST" && ++answers <= slowAnswers) await new Promise((done) => setTimeout(done, 450));
    response.writeHead(upstream.status, Object.fromEntries(upstream.headers)).end(whole);
  });
  const { findings } = await cli.json("doctor", "relay", "--url", await listenOnLoopback(proxy, onTestFinished));
  expect(findings).toContainEqual(
    expect.objectContaining({
      about: "streams of relay",
      status,
      ...(status === "problem" && { fix: expect.stringContaining("proxy_buffering off") }),
    }),
  );
});

test("exit codes tell usage, unreachable services and refused keys apart", async () => {
  const refusing = createServer(({ headers }, response) => {
    const detail = headers.authorization ? problems.invalidCredentials().message : "No key.";
    response
      .writeHead(401, { "Content-Type": "application/problem+json" })
      .end(JSON.stringify({ status: 401, detail }));
  });
  const refusingUrl = await listenOnLoopback(refusing, onTestFinished);
  await cli.write({ "no-export.md": "# Not an export" }, ".");
  const failures: [string[], number, RegExp][] = [
    [["aks"], 2, /no command "aks"; did you mean ask\?/],
    [["foo"], 2, /no command "foo"\. See: agents help/],
    [["ask"], 2, /The question is missing/],
    [["ask", "--colour", "x"], 2, /Unknown option '--colour'/],
    [["ask", "--namespce", "x", "y"], 2, /Unknown option '--namespce'; did you mean --namespace\?/],
    [["top", "--limit", "21"], 2, /--limit is "21"; use a whole number from 1 to 20/],
    [["top", "--url", `${cli.environment.AGENTS_KNOWLEDGE_URL}`], 1, /^.*http:.* has no such route: --url takes/],
    [["import", join(cli.folder, "no-export.md")], 1, /was not created by an export/],
    [["import", cli.folder], 2, /isn't a file\. Name one that agents export has written/],
    [["export", join(cli.folder, "no-folder", "x.ndjson")], 2, /There is no file or folder .*no-folder\./],
    [["search", "x", "--key", "a key"], 2, /--key must be the key alone/],
    [["search", "x", "--max-results", "51"], 2, /--max-results is "51"; use a whole number from 1 to 50/],
    [["ask", "x", "--url", "localhost"], 2, /--url is "localhost"; use an http/],
    [["ask", "x", "--url", "http://127.0.0.1:1"], 3, /No response from http:\/\/127.0.0.1:1/],
    [["ask", "x", "--url", refusingUrl], 4, /No key\. Send a key with AGENTS_KEY/],
    [["ask", "x", "--key", "k", "--url", refusingUrl], 4, /; check that of AGENTS_KEY or --key\.\n?$/],
    [["ingest", join(cli.folder, "nothing-here")], 2, /There is no file or folder .*nothing-here/],
    [["search", "x", "--filter", '{"a":{}}'], 1, /filter/],
    [["search", "x", "--filter", "legal"], 2, /--filter is "legal"; use FIELD=VALUE/],
    [
      ["ingest", "www.example.com/page"],
      2,
      /no file or folder www.example.com\/page\. Addresses begin with https:\/\//,
    ],
  ];
  for (const [args, exitCode, says] of failures) {
    expect(await cli.agents(...args), args.join(" ")).toEqual({
      exitCode,
      output: "",
      notes: expect.stringMatching(says),
    });
    expect(await cli.json(...args)).toMatchObject({ exitCode, error: { message: expect.stringMatching(says) } });
  }
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
  // The user's own value follows.
  expect(complete("ask", "--namespace", "")).toEqual([""]);
  for (const shell of ["zsh", "fish"] as const) {
    const script = completionScript(shell, commands);
    for (const { name, options } of commands) {
      for (const word of [name, ...Object.keys(options)]) expect(script).toContain(word);
    }
  }
});
