import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { answer } from "@agent-backends/testing";
import { beforeAll, describe, expect, it } from "vitest";
import { startUnderTest } from "./under-test.ts";

const inputCharacters = 20_000_000;
/** The text as a whole would take 40 MB, and each further copy of it as much. */
const memoryAtMostMb = 90;
/** Far more than it takes, far less than reading or copying all of it in one go, also on a busy machine. */
const healthAtMostMs = 3_000;

const { provider, service } = await startUnderTest();

beforeAll(async () => {
  const warm = new FormData();
  warm.append("files", new Blob(["A few words. ".repeat(20_000)]), "warm.txt");
  await send(warm);
  // What vectors take is another matter: they are made and stored a part at a time.
  provider.scriptEmbeddings(answer.error(400, "not now"));
});

async function send(body: FormData | string) {
  const headers = typeof body === "string" ? { "Content-Type": "application/json" } : undefined;
  const init = { method: "POST", body, ...(headers && { headers }) };
  const response = await fetch(`${service.baseUrl}/api/tools/ingest`, init);
  return (await response.json()) as { errors?: { code: string }[]; status?: number };
}

const run = promisify(execFile);
async function memoryMb(): Promise<number> {
  const { stdout } = await run("ps", ["-o", "rss=", "-p", String(service.process.pid)]);
  return Number(stdout) / 1024;
}

/** How much memory the service takes in addition, and how long its health takes at most, until `work` is done. */
async function watch<Result>(work: Promise<Result>) {
  const before = await memoryMb();
  let memory = 0;
  let slowestHealthMs = 0;
  let isDone = false;
  const done = work.finally(() => {
    isDone = true;
  });
  while (!isDone) {
    const asked = performance.now();
    await (await fetch(`${service.baseUrl}/health`)).text();
    slowestHealthMs = Math.max(slowestHealthMs, performance.now() - asked);
    memory = Math.max(memory, (await memoryMb()) - before);
  }
  return { result: await done, memory, slowestHealthMs };
}

const words = "Some words of a long text, wörds too.\n";
const text = words.repeat(inputCharacters / words.length);

describe("an input of many megabytes", () => {
  it.each<[string, () => FormData | string, object]>([
    ["a file of text", () => formOf("large.txt", text), { errors: [{ code: "provider_failed" }] }],
    ["a text in JSON", () => JSON.stringify({ sources: [text] }), { errors: [{ code: "provider_failed" }] }],
    ["small things in JSON", () => `{"sources":["x"],"other":[${"1,".repeat(inputCharacters / 2)}1]}`, { status: 413 }],
    ["a file that can't be read", () => formOf("large.pdf", text), { errors: [{ code: "damaged" }] }],
  ])("is never in memory as a whole and holds up nobody: %s", async (_what, body, expected) => {
    const { result, memory, slowestHealthMs } = await watch(send(body()));
    expect(result).toMatchObject(expected);
    expect(memory).toBeLessThan(memoryAtMostMb);
    expect(slowestHealthMs).toBeLessThan(healthAtMostMs);
  });
});

function formOf(name: string, content: string): FormData {
  const form = new FormData();
  form.append("files", new Blob([content]), name);
  return form;
}
