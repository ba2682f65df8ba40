import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { ScriptedProvider } from "@agent-backends/testing";
import { freePorts, parseSseEvents, startScriptedProvider } from "@agent-backends/testing";
import { afterEach, beforeEach, expect, test } from "vitest";
import { eventually } from "./support/harness.ts";
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
