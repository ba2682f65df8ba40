import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { ScriptedProvider } from "@agent-backends/testing";
import { freePorts, parseSseEvents, startScriptedProvider } from "@agent-backends/testing";
import { fetchServerSentEvents } from "@tanstack/ai-client";
import { EventSource } from "eventsource";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { eventually } from "./support/harness.ts";
import { startRelay } from "./support/implementations.ts";
import { postAgent, runInput } from "./support/run-inputs.ts";

const fileOf = (path: string) => new URL(path, import.meta.url);
const documented = readFileSync(fileOf("../../../docs/relay.md"), "utf8");

let provider: ScriptedProvider;
beforeEach(async () => {
  provider = await startScriptedProvider();
});
afterEach(() => provider.close());

test.each(["express", "nest"])("the documented %s application relays, also a long conversation", async (name) => {
  expect(documented).toContain(`\`\`\`ts\n${readFileSync(fileOf(`../${name}/example.ts`), "utf8")}\`\`\`\n`);
  const [port = 0] = await freePorts(1);
  const child = spawn(process.execPath, [fileURLToPath(fileOf(`../dist/${name}/example.js`))], {
    env: { LLM_API_KEY: "sk-of-the-host", LLM_BASE_URL: provider.baseUrl, PORT: String(port), NO_COLOR: "1" },
    stdio: "ignore",
  });
  const closed = once(child, "close");
  try {
    const url = `http://127.0.0.1:${port}/chat`;
    let up = false;
    await eventually(() => {
      fetch(`${url}/ready`).then(
        ({ ok }) => (up ||= ok),
        () => undefined,
      );
      return up;
    }, "the application listened");
    const content = "word ".repeat(100_000);
    const response = await postAgent(url, runInput({ messages: [{ id: "1", role: "user", content }] }));
    expect(parseSseEvents(await response.text()).at(-1)?.type).toBe("RUN_FINISHED");
    expect(provider.chatRequests[0]).toMatchObject({
      headers: { authorization: "Bearer sk-of-the-host" },
      body: { model: "gpt-4o-mini", messages: [{ role: "user", content }] },
    });
  } finally {
    child.kill("SIGKILL");
    await closed;
  }
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

  test.each([
    { heading: "With TanStack AI's client", parts: true, times: 2 },
    { heading: "With EventSource", parts: false, times: 1 },
  ])("$heading gets the whole run", async ({ heading, parts, times }) => {
    const relay = await startRelay("express", {
      baseUrl: provider.baseUrl,
      runsUrl: "memory:",
      runOrphanMs: 60_000,
      profile: "ag-ui",
    });
    try {
      const shown: string[] = [];
      const messages = [
        {
          id: "m1",
          role: "user",
          ...(parts ? { parts: [{ type: "text", content: "Hello?" }] } : { content: "Hello?" }),
        },
      ];
      const show = ({ type }: { type: string }) => void shown.push(type);
      const values = { messages, threadId, runId, show, fetchServerSentEvents, EventSource: TrackedEventSource };
      await runCode(heading, relay.url, values);
      await eventually(() => shown.filter((type) => type === "RUN_FINISHED").length === times, "the run was shown");
      expect(shown.filter((type) => type === "RUN_STARTED")).toHaveLength(times);
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
