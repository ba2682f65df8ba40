import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { ListingSite, ScriptedProvider, ServiceProcess } from "@agent-backends/testing";
import { answer, serviceMains, startListingSite, startScriptedProvider, startService } from "@agent-backends/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Connected } from "./connect.ts";
import { connect, z } from "./connect.ts";

describe("CopilotKit in front of the agents", () => {
  let folder: string;
  let provider: ScriptedProvider;
  let site: ListingSite;
  let knowledge: ServiceProcess;
  let listing: ServiceProcess;
  const all: Connected[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "copilotkit-test-"));
    [provider, site] = await Promise.all([startScriptedProvider(), startListingSite()]);
    const variables = { LLM_BASE_URL: provider.baseUrl };
    [knowledge, listing] = await Promise.all([
      startService(resolve(serviceMains.knowledge), { ...variables, KNOWLEDGE_STORE: join(folder, "store") }),
      startService(resolve(serviceMains.listing), {
        ...variables,
        ...site.variables,
      }),
    ]);
  });
  afterAll(async () => {
    await Promise.all([...all.map((one) => one.stop()), knowledge.end("SIGKILL"), listing.end("SIGKILL")]);
    await Promise.all([provider.close(), site.close(), rm(folder, { recursive: true })]);
  });

  test("the librarian's answer follows its search, in the page's namespace", async () => {
    const body = { namespace: "shop", sources: [{ type: "text", title: "Refunds", value: "Refunds take 30 days." }] };
    const headers = { "Content-Type": "application/json" };
    await fetch(`${knowledge.baseUrl}/api/tools/ingest`, { method: "POST", headers, body: JSON.stringify(body) });
    provider.script(answer.text("30 days [1]."));
    const properties = { namespace: "shop" };
    const connected = await connect(`${knowledge.baseUrl}/agui?profile=ag-ui-0`, { properties });
    all.push(connected);
    const { messages, errors } = await connected.ask("How long do refunds take?");
    expect(errors).toEqual([]);
    expect(messages).toMatchObject([
      { role: "assistant", toolCalls: [{ function: { name: "searchDocs" } }] },
      { role: "tool", content: expect.stringContaining("Refunds take 30 days.") },
      { role: "assistant", content: "30 days [1]." },
    ]);
  });

  test("the analyst's confetti is shown by the page, once", async () => {
    provider.script(answer.text("Well done!"));
    const shown: unknown[] = [];
    const confetti = {
      name: "confetti",
      description: "Shows confetti.",
      parameters: z.object({ colors: z.array(z.string()), particleCount: z.number() }),
      async handler(payload: unknown) {
        shown.push(payload);
        return "shown";
      },
    };
    const connected = await connect(`${listing.baseUrl}/agui?profile=ag-ui-0`, { tools: [confetti] });
    all.push(connected);
    const { messages, errors } = await connected.ask("We launched today, confetti please!");
    expect(errors).toEqual([]);
    expect(shown).toMatchObject([{ action: "CONFETTI", colors: expect.any(Array) }]);
    expect(messages).toMatchObject([
      { role: "assistant", content: "Well done!", toolCalls: [{ function: { name: "confetti" } }] },
      { role: "tool", content: "shown" },
    ]);
    const ranking = await connected.ask("What are the top launches?");
    expect(ranking.messages.map(({ role }) => role)).toEqual(["assistant", "tool", "assistant"]);
  });
});
