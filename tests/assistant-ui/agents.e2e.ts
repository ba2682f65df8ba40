import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import type { ListingSite, ScriptedProvider, ServiceProcess } from "@agent-backends/testing";
import { answer, serviceMains, startListingSite, startScriptedProvider, startService } from "@agent-backends/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

interface Message {
  role: string;
  status?: { type: string };
  content: object[];
}

/** Asks questions one after the other in one conversation. assistant-ui brings a client of AG-UI 0.0.x. */
async function ask(address: string, ...questions: string[]): Promise<Message[]> {
  const args = [join(import.meta.dirname, "ask.mjs"), `${address}profile=ag-ui-0`, ...questions];
  const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: 30_000 });
  const { messages, errors } = JSON.parse(stdout) as { messages: Message[]; errors: string[] };
  expect(errors).toEqual([]);
  return messages;
}

describe("assistant-ui in front of the agents", () => {
  let folder: string;
  let provider: ScriptedProvider;
  let site: ListingSite;
  let services: ServiceProcess[];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "assistant-ui-test-"));
    [provider, site] = await Promise.all([startScriptedProvider(), startListingSite()]);
    const variables = { LLM_BASE_URL: provider.baseUrl };
    services = await Promise.all([
      startService(resolve(serviceMains["relay-express"]), variables),
      startService(resolve(serviceMains.knowledge), { ...variables, KNOWLEDGE_STORE: join(folder, "store") }),
      startService(resolve(serviceMains.listing), {
        ...variables,
        ...site.variables,
      }),
    ]);
  });
  afterAll(async () => {
    await Promise.all(services.map((service) => service.end("SIGKILL")));
    await Promise.all([provider.close(), site.close(), rm(folder, { recursive: true })]);
  });

  const said = (text: string) => ({
    role: "assistant",
    status: { type: "complete" },
    content: [{ type: "text", text }],
  });

  test("the relay answers, also when the conversation goes on", async () => {
    provider.script([answer.text("Hello ", "there."), answer.text("Goodbye.")]);
    const messages = await ask(`${services[0]?.baseUrl}/agent?`, "Hello?", "Goodbye?");
    expect(messages).toMatchObject([{ role: "user" }, said("Hello there."), { role: "user" }, said("Goodbye.")]);
  });

  test("the librarian's answer follows its search, also when the conversation goes on", async () => {
    const knowledge = services[1]?.baseUrl ?? "";
    const body = { namespace: "shop", sources: [{ type: "text", title: "Refunds", value: "Refunds take 30 days." }] };
    const headers = { "Content-Type": "application/json" };
    await fetch(`${knowledge}/api/tools/ingest`, { method: "POST", headers, body: JSON.stringify(body) });
    provider.script(answer.text("30 days [1]."));
    const messages = await ask(`${knowledge}/agui?namespace=shop&`, "How long do refunds take?", "Really?");
    const searched = { type: "tool-call", toolName: "searchDocs", result: { results: [{ title: "Refunds" }] } };
    const answered = { status: { type: "complete" }, content: [searched, { type: "text", text: "30 days [1]." }] };
    expect(messages).toMatchObject([{ role: "user" }, answered, { role: "user" }, answered]);
  });

  test("the analyst's words follow its list", async () => {
    provider.script(answer.text("These lead."));
    const [, answered] = await ask(`${services[2]?.baseUrl}/agui?`, "What are the top launches?");
    expect(answered).toMatchObject({
      status: { type: "complete" },
      content: [
        { type: "tool-call", toolName: "top", result: { action: "top" } },
        { type: "text", text: expect.stringMatching(/These lead\.$/) },
      ],
    });
  });
});
