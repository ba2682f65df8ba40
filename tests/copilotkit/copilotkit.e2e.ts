import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { ScriptedProvider, ServiceProcess } from "@agent-backends/testing";
import {
  answer,
  CommandProcess,
  freePorts,
  serviceMains,
  startScriptedProvider,
  startService,
} from "@agent-backends/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";

const here = fileURLToPath(new URL(".", import.meta.url));
const root = fileURLToPath(new URL("../..", import.meta.url));

interface Message {
  role: string;
  content?: string;
  toolCalls?: { id: string; function: { name: string; arguments: string } }[];
}
interface Agent {
  messages: Message[];
  addMessage(message: Message & { id: string }): void;
}
interface Core {
  runtimeConnectionStatus: string;
  getAgent(id: string): Agent;
  runAgent(options: { agent: Agent }): Promise<unknown>;
  subscribe(subscriber: { onError(event: { error: Error }): void }): unknown;
}

// It is installed by the time that the tests run, not when they are compiled.
const { CopilotKitCore, z } = await import(new URL("browser.mjs", import.meta.url).href);

/** For how long something may not be so yet, on a busy machine. */
const patience = { timeout: 30_000, interval: 50 };

const delta = (fields: object, finish_reason: string | null = null) => ({
  choices: [{ index: 0, delta: fields, finish_reason }],
});

const runtimeSource = readFileSync(`${here}runtime.mjs`, "utf8");
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
  const runtimes: CommandProcess[] = [];
  const toolsRun: object[] = [];

  /** Starts CopilotKit's runtime, and connects what runs in a browser to it. */
  async function connect(profile: string, source = runtimeSource) {
    const [port = 0] = await freePorts(1);
    const environment = {
      AGENT_URL: `${relay.baseUrl}/agent?profile=${profile}`,
      PORT: String(port),
      COPILOTKIT_TELEMETRY_DISABLED: "true",
      DO_NOT_TRACK: "1",
    };
    const args = ["--input-type=module", "--eval", source];
    runtimes.push(new CommandProcess(process.execPath, args, { cwd: here, environment }));
    const runtimeUrl = `http://127.0.0.1:${port}/api/copilotkit`;
    const isUp = () =>
      fetch(`${runtimeUrl}/info`).then(
        ({ ok }) => ok,
        () => false,
      );
    await vi.waitUntil(isUp, patience);
    const tool = (toolName: string, result: string) => ({
      name: toolName,
      description: `Tells the ${toolName}.`,
      parameters: z.object({ city: z.string() }),
      async handler(given: object) {
        toolsRun.push({ [toolName]: given });
        return result;
      },
    });
    const core: Core = new CopilotKitCore({ runtimeUrl, tools: [tool("weather", "sunny"), tool("time", "noon")] });
    const errors: string[] = [];
    core.subscribe({ onError: ({ error }) => void errors.push(error.message) });
    await vi.waitUntil(() => core.runtimeConnectionStatus === "connected", patience);
    return { core, errors };
  }

  /** Asks a question in a conversation of its own. */
  async function ask({ core, errors }: { core: Core; errors: string[] }) {
    const agent = core.getAgent("default");
    agent.messages.length = 0;
    errors.length = 0;
    agent.addMessage({ id: crypto.randomUUID(), role: "user", content: "How is Bern?" });
    await core.runAgent({ agent });
    return { messages: agent.messages.slice(1), errors };
  }

  let connected: { core: Core; errors: string[] };
  beforeAll(async () => {
    // What tells CopilotKit that it runs in a browser: in a server it would not connect by itself.
    Object.assign(globalThis, { window: globalThis });
    provider = await startScriptedProvider();
    relay = await startService(root + serviceMains[name], { LLM_API_KEY: "sk-test", LLM_BASE_URL: provider.baseUrl });
    connected = await connect("ag-ui-0");
  });
  beforeEach(() => {
    provider.requests.length = 0;
    toolsRun.length = 0;
  });
  afterAll(async () => {
    await Promise.all([...runtimes.map((runtime) => runtime.stop("SIGKILL")), relay.end("SIGKILL")]);
    await provider.close();
    Reflect.deleteProperty(globalThis, "window");
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
    const { messages, errors } = await ask(await connect("ag-ui-0", plainRuntimeSource));
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
    const { errors } = await ask(await connect("ag-ui-2"));
    expect(errors.join()).toMatch(/HTTP 422.*contract, ag-ui or ag-ui-0/s);
  });
});
