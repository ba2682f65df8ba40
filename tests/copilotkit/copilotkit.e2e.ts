import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { ScriptedProvider, ServiceProcess } from "@agent-backends/testing";
import { answer, serviceMains, startScriptedProvider, startService } from "@agent-backends/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Connected } from "./connect.ts";
import { connect, runtimeSource, z } from "./connect.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

const delta = (fields: object, finish_reason: string | null = null) => ({
  choices: [{ index: 0, delta: fields, finish_reason }],
});

/** The runtime without the lines that show reasoning. */
const plainRuntimeSource = runtimeSource.replace(/\/\/ Shows.*?\n\);\n/s, "");

test("the documented runtime is the one that is tested", () => {
  const documented = readFileSync(`${root}docs/relay.md`, "utf8");
  expect(documented).toContain(`\`\`\`js\n${runtimeSource}\`\`\`\n`);
  expect(plainRuntimeSource).not.toContain("agent.use");
});

describe.each(["relay-express", "relay-nest"] as const)("CopilotKit in front of %s", (name) => {
  let provider: ScriptedProvider;
  let relay: ServiceProcess;
  const toolsRun: object[] = [];
  const all: Connected[] = [];

  async function connectTo(profile: string, source?: string): Promise<Connected> {
    const tool = (toolName: string, result: string) => ({
      name: toolName,
      description: `Tells the ${toolName}.`,
      parameters: z.object({ city: z.string() }),
      async handler(given: object) {
        toolsRun.push({ [toolName]: given });
        return result;
      },
    });
    const tools = [tool("weather", "sunny"), tool("time", "noon")];
    const connected = await connect(`${relay.baseUrl}/agent?profile=${profile}`, { tools, ...(source && { source }) });
    all.push(connected);
    return connected;
  }
  const ask = (to: Connected) => to.ask("How is Bern?");

  let connected: Connected;
  beforeAll(async () => {
    provider = await startScriptedProvider();
    relay = await startService(root + serviceMains[name], { LLM_API_KEY: "sk-test", LLM_BASE_URL: provider.baseUrl });
    connected = await connectTo("ag-ui-0");
  });
  beforeEach(() => {
    provider.requests.length = 0;
    toolsRun.length = 0;
  });
  afterAll(async () => {
    await Promise.all([...all.map((one) => one.stop()), relay.end("SIGKILL")]);
    await provider.close();
  });

  test("a run of text ends with the answer", async () => {
    provider.script(answer.text("Hel", "lo"));
    expect(await ask(connected)).toMatchObject({ messages: [{ role: "assistant", content: "Hello" }], errors: [] });
  });

  test("a frontend tool is run, and its result answered; the reasoning before it is shown", async () => {
    provider.script([
      answer.chunks([
        delta({ reasoning_content: "Let me " }),
        delta({ reasoning_content: "think." }),
        delta({ content: "I'll look." }),
        delta({ tool_calls: [{ index: 0, id: "call_a", function: { name: "weather", arguments: '{"city":' } }] }),
        delta({ tool_calls: [{ index: 0, function: { arguments: '"Bern"}' } }] }),
        delta({}, "tool_calls"),
      ]),
      answer.text("It is sunny."),
    ]);
    const { messages, errors } = await ask(connected);
    expect(errors).toEqual([]);
    expect(messages).toMatchObject([
      { role: "reasoning", content: "Let me think." },
      { role: "assistant", content: "I'll look.", toolCalls: [{ id: "call_a", function: { name: "weather" } }] },
      { role: "tool", toolCallId: "call_a", content: "sunny" },
      { role: "assistant", content: "It is sunny." },
    ]);
    expect(toolsRun).toEqual([{ weather: { city: "Bern" } }]);
    expect(provider.chatRequests[1]?.body.messages).toMatchObject([
      { role: "user", content: "How is Bern?" },
      { role: "assistant", tool_calls: [{ id: "call_a" }] },
      { role: "tool", tool_call_id: "call_a", content: "sunny" },
    ]);
  });

  test("a frontend tool is run by a runtime that doesn't show reasoning too", async () => {
    provider.script([
      answer.chunks([
        delta({ reasoning_content: "Let me think." }),
        delta({ tool_calls: [{ index: 0, id: "a", function: { name: "time", arguments: '{"city":"Bern"}' } }] }),
        delta({}, "tool_calls"),
      ]),
      answer.text("It is noon."),
    ]);
    const { messages, errors } = await ask(await connectTo("ag-ui-0", plainRuntimeSource));
    expect(errors).toEqual([]);
    expect(messages.map(({ role }) => role)).toEqual(["assistant", "tool", "assistant"]);
    expect(toolsRun).toEqual([{ time: { city: "Bern" } }]);
  });

  test("parallel frontend tools are all run", async () => {
    const city = { city: "Bern" };
    provider.script([
      answer.toolCalls([
        { id: "call_a", name: "weather", args: city },
        { id: "call_b", name: "time", args: city },
      ]),
      answer.text("Sunny, at noon."),
    ]);
    const { messages, errors } = await ask(connected);
    expect(errors).toEqual([]);
    expect(messages.at(-1)).toMatchObject({ role: "assistant", content: "Sunny, at noon." });
    expect(toolsRun).toEqual([{ weather: city }, { time: city }]);
  });

  test("an error in the middle of an answer is shown with its reason", async () => {
    provider.script(answer.chunks([delta({ content: "Hel" }), { error: { message: "Overloaded", code: "busy" } }]));
    const { messages, errors } = await ask(connected);
    expect(messages).toMatchObject([{ role: "assistant", content: "Hel" }]);
    expect(errors).toContain("Overloaded");
  });

  test("a request that the relay refuses is shown with its reason", async () => {
    const { errors } = await ask(await connectTo("ag-ui-2"));
    expect(errors.join()).toMatch(/HTTP 422.*contract, ag-ui or ag-ui-0/s);
  });
});
