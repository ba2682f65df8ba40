import type { ChildProcess } from "node:child_process";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import type { Socket } from "node:net";
import { connect, createServer } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { HttpAgent } from "@ag-ui/client";
import type { ScriptedProvider } from "@agent-backends/testing";
import { answer, freePorts, parseSseEvents, startScriptedProvider } from "@agent-backends/testing";
import { createTemporaryFolder, listenOnLoopback } from "@agent-backends/testing/fixtures";
import { ChatClient, fetchServerSentEvents } from "@tanstack/ai-client";
import { EventSource } from "eventsource";
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { eventually } from "./support/harness.ts";
import { startRelay } from "./support/implementations.ts";
import { gatedRun } from "./support/recorded-run.ts";
import { postAgent, runInput } from "./support/run-inputs.ts";
import { delta } from "./support/transcode.ts";

const toFileUrl = (path: string) => new URL(path, import.meta.url);
const documented = readFileSync(toFileUrl("../../../docs/relay.md"), "utf8");

let provider: ScriptedProvider;
beforeEach(async () => {
  provider = await startScriptedProvider();
});
afterEach(() => provider.close());

/** Runs an example until the test has used its address. */
async function withExample(
  path: string,
  ready: string,
  environment: Record<string, string>,
  use: (url: string, child: ChildProcess) => Promise<void>,
) {
  const child = spawn(process.execPath, [fileURLToPath(new URL(path, toFileUrl("../../../examples/dist/")))], {
    env: { ...environment, NO_COLOR: "1" },
    stdio: "ignore",
  });
  const closed = once(child, "close");
  const url = `http://127.0.0.1:${environment.PORT}`;
  try {
    let up = false;
    await eventually(() => {
      fetch(url + ready).then(
        ({ ok }) => (up ||= ok),
        () => undefined,
      );
      return up;
    }, "the example listened");
    await use(url, child);
  } finally {
    child.kill("SIGKILL");
    await closed;
  }
}

test.each(["express", "nest"])("the documented %s application relays, also a long conversation", async (name) => {
  expect(documented).toContain(
    `\`\`\`ts\n${readFileSync(toFileUrl(`../../../examples/${name}/server.ts`), "utf8")}\`\`\`\n`,
  );
  const [port] = await freePorts(1);
  const environment = { LLM_API_KEY: "sk-of-the-host", LLM_BASE_URL: provider.baseUrl, PORT: String(port) };
  await withExample(`${name}/server.js`, "/chat/ready", environment, async (url) => {
    const content = "word ".repeat(100_000);
    const response = await postAgent(`${url}/chat`, runInput({ messages: [{ id: "1", role: "user", content }] }));
    expect(parseSseEvents(await response.text()).at(-1)?.type).toBe("RUN_FINISHED");
    expect(provider.chatRequests[0]).toMatchObject({
      headers: { authorization: "Bearer sk-of-the-host" },
      body: { model: "gpt-4o-mini", messages: [{ role: "user", content }] },
    });
    expect(await (await fetch(name === "nest" ? `${url}/chat` : url)).text()).toBe("Hello");
  });
});

test("the packed relay compiles and runs with the documented Express application and its metrics", async () => {
  const root = fileURLToPath(toFileUrl("../../.."));
  const folder = await createTemporaryFolder(onTestFinished);
  execFileSync(process.execPath, ["scripts/pack-relay.ts", folder], { cwd: root });
  execFileSync("tar", ["-xzf", "agent-backends-relay-0.1.0.tgz"], { cwd: folder });
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  const [port, metricsPort] = await freePorts(2);
  const code = ["import express", "import { createInstruments"].map((start) => {
    const block = documented.split("```ts\n").find((text) => text.split("```")[0]?.includes(start));
    return block?.split("```")[0];
  });
  // A package finds itself by its own name.
  const file = join(folder, "package/app.ts");
  writeFileSync(file, code.join("\n").replaceAll("9464", String(metricsPort)));
  const options = ["--noEmit", "--module", "nodenext", "--target", "es2024", "--strict", "--skipLibCheck"];
  execFileSync(join(root, "node_modules/.bin/tsc"), [...options, "--types", "node", file], { cwd: folder });
  const environment = { LLM_API_KEY: "sk-of-the-host", LLM_BASE_URL: provider.baseUrl, PORT: String(port) };
  await withExample(file, "/chat/ready", environment, async (url, child) => {
    await (await postAgent(`${url}/chat`, runInput())).text();
    const metrics = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
    expect(metrics).toMatch(/^agent_http_requests_total\{.*route="\/chat\/agent".*\} 1$/m);
    child.kill("SIGTERM");
    await eventually(() => child.exitCode === 0, "the application ended");
  });
});

test("the documented agent learns its capabilities, whatever profile its address names", async () => {
  const [, code = ""] = /```ts\n(class RelayAgent [\s\S]*?)```/.exec(documented) ?? [];
  const RelayAgent = new Function("HttpAgent", `${code.replace("override ", "")}; return RelayAgent;`)(HttpAgent);
  const relay = await startRelay("express", { baseUrl: provider.baseUrl });
  onTestFinished(() => relay.close());
  for (const query of ["", "?profile=ag-ui-0"]) {
    const agent = new RelayAgent({ url: `${relay.url}/agent${query}` });
    expect(await agent.getCapabilities()).toMatchObject({ transport: { streaming: true } });
  }
});

test("the documented connection runs the frontend tools of TanStack AI's client, and sends their results", async () => {
  const [, code = ""] = /```js\n(const withFrontendTools [\s\S]*?)```/.exec(documented) ?? [];
  const withFrontendTools = new Function(`${code}; return withFrontendTools;`)();
  const call = { index: 0, id: "a", function: { name: "weather", arguments: '{"city":"Oslo"}' } };
  provider.script([answer.chunks([delta({ tool_calls: [call] }), delta({}, "tool_calls")]), answer.text("Sunny.")]);
  const relay = await startRelay("express", { baseUrl: provider.baseUrl, profile: "ag-ui" });
  onTestFinished(() => relay.close());
  const execute = vi.fn(async (_input: unknown) => ({ sky: "clear" }));
  const tool = { __toolSide: "client", name: "weather", description: "The weather of a city", execute };
  const connection = withFrontendTools(fetchServerSentEvents(`${relay.url}/agent`));
  const client = new ChatClient({ connection, tools: [tool as never] });
  await client.sendMessage("What is the weather in Oslo?");
  await eventually(() => JSON.stringify(client.getMessages()).includes("Sunny."), "the answer was shown");
  expect(execute.mock.calls.map(([input]) => input)).toEqual([{ city: "Oslo" }]);
  expect(provider.chatRequests[1]?.body.messages.at(-1)).toMatchObject({ role: "tool", content: '{"sky":"clear"}' });
});

test("the relay passes on what examples/provider answers", async () => {
  const [port] = await freePorts(1);
  await withExample("provider/server.js", "/v1/models", { PORT: String(port) }, async (url) => {
    const relay = await startRelay("express", { baseUrl: `${url}/v1`, model: "mine" });
    onTestFinished(() => relay.close());
    const response = await postAgent(
      relay.url,
      runInput({ messages: [{ id: "1", role: "user", content: "Hi there" }] }),
    );
    const events = parseSseEvents(await response.text());
    expect(events.map(({ delta }) => delta).join("")).toBe("You said: Hi there");
    expect(events.at(-1)?.type).toBe("RUN_FINISHED");
  });
});

describe("the documented code that resumes runs", () => {
  /** Runs the code below a heading with these values. */
  async function runCode(heading: string, url: string, values: Record<string, unknown>): Promise<void> {
    const [, code = ""] = /```ts\n([\s\S]*?)```/.exec(documented.slice(documented.indexOf(`### ${heading}\n`))) ?? [];
    const body = code.replace(/^import .*$/m, "").replaceAll("https://your-host", url);
    await new Function(...Object.keys(values), `return (async () => {${body}})();`)(...Object.values(values));
  }

  const runId = "run-1";
  const threadId = "thread-1";

  /** Passes connections on to the relay, and breaks them on request. */
  async function startBreakableFront(relayUrl: string) {
    const sockets = new Set<Socket>();
    const server = createServer((client) => {
      const upstream = connect(Number(new URL(relayUrl).port), "127.0.0.1");
      for (const socket of [client, upstream]) sockets.add(socket.on("error", () => undefined));
      client.pipe(upstream).pipe(client);
    });
    const url = await listenOnLoopback(server, onTestFinished);
    return { url, breakAll: () => sockets.forEach((socket) => void socket.destroy()) };
  }

  test.each([
    { heading: "With TanStack AI's client", name: "nest", parts: true, times: 2 },
    { heading: "With EventSource", name: "express", parts: false, times: 1 },
  ] as const)("$heading gets the whole run, also when connections break", async ({ heading, name, parts, times }) => {
    const live = gatedRun();
    provider.script(live.answer);
    live.gates.open(4);
    const relay = await startRelay(name, {
      baseUrl: provider.baseUrl,
      runsUrl: "memory:",
      runOrphanMs: 60_000,
      profile: "ag-ui",
    });
    try {
      const front = await startBreakableFront(relay.url);
      const shown: string[] = [];
      const messages = [
        {
          id: "m1",
          role: "user",
          ...(parts ? { parts: [{ type: "text", content: "Hello?" }] } : { content: "Hello?" }),
        },
      ];
      const show = ({ type }: { type: string }) => {
        if (shown.push(type) !== 4) return;
        front.breakAll();
        live.gates.open();
      };
      const values = { messages, threadId, runId, show, fetchServerSentEvents, EventSource: TrackedEventSource };
      await runCode(heading, front.url, values);
      await eventually(() => shown.filter((type) => type === "RUN_FINISHED").length === times, "the run was shown");
      const whole = await (await fetch(`${relay.url}/agent/runs/${runId}`)).text();
      const types = whole.match(/(?<=^data: {"type":")\w+/gm) ?? [];
      expect(shown).toEqual(Array.from({ length: times }, () => types).flat());
      expect(provider.chatRequests).toHaveLength(1);
    } finally {
      for (const source of sources.splice(0)) source.close();
      await relay.close();
    }
  });
});

const sources: EventSource[] = [];
class TrackedEventSource extends EventSource {
  constructor(url: string) {
    super(url);
    sources.push(this);
  }
}
