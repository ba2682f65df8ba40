import { fileURLToPath } from "node:url";
import { runToExit, startScriptedProvider, startService } from "@agent-backends/testing";
import { describe, expect, test } from "vitest";
import { postAgent, runInput } from "./support/run-inputs.ts";

const getMainPath = (name: "express" | "nest") => fileURLToPath(new URL(`../dist/${name}/main.js`, import.meta.url));

describe("without a key", () => {
  test("the NestJS one refuses to start and names the variable", async () => {
    expect(await runToExit(getMainPath("nest"), {})).toEqual({
      code: 1,
      lines: [expect.stringMatching(/^LLM_API_KEY /)],
    });
  });

  test("the Express one starts, runs, and says that it is not ready", async ({ onTestFinished }) => {
    const provider = await startScriptedProvider();
    onTestFinished(() => provider.close());
    const relay = await startService(getMainPath("express"), { LLM_API_KEY: "", LLM_BASE_URL: provider.baseUrl });
    onTestFinished(async () => void (await relay.end("SIGKILL")));
    const { baseUrl: url } = relay;
    expect((await fetch(`${url}/health`)).status).toBe(200);
    const ready = await fetch(`${url}/ready`);
    expect(ready.status).toBe(503);
    expect(await ready.text()).toContain("LLM_API_KEY");
    expect(await (await postAgent(url, runInput())).text()).toContain("RUN_FINISHED");
    expect(provider.chatRequests[0]?.headers.authorization).toBeUndefined();
  });
});

test.each(["express", "nest"] as const)(
  "the %s process names every wrong variable on a line of its own and exits 1",
  async (name) => {
    const wrong = { PORT: "eighty", RELAY_PROFILE: "both", LLM_BASE_URL: "nowhere" };
    const { code, lines } = await runToExit(getMainPath(name), { LLM_API_KEY: "sk-test", ...wrong });
    expect(code).toBe(1);
    expect(lines.map((line) => line.split(" ")[0]).sort()).toEqual(["LLM_BASE_URL", "PORT", "RELAY_PROFILE"]);
  },
);

test.each([
  [{ LLM_API_KEY: "sk with spaces" }, /^LLM_API_KEY must be visible ASCII characters/],
  [{ HOST: "no.such.host.invalid" }, /^HOST no\.such\.host\.invalid can't be used \((ENOTFOUND|EAI_AGAIN)\)/],
  [{ PORT: "9471", METRICS_PORT: "9471" }, /^METRICS_PORT 9471 is PORT too/],
])("a start with %o says why in its last line", async (variables, line) => {
  const { code, lines } = await runToExit(getMainPath("express"), { LLM_API_KEY: "sk-test", ...variables });
  expect([code, lines.at(-1)]).toEqual([1, expect.stringMatching(line)]);
});

test("variables that do nothing without RUNS_URL are named", async () => {
  const provider = await startScriptedProvider();
  const variables = { LLM_API_KEY: "sk-test", LLM_BASE_URL: provider.baseUrl, RUN_ORPHAN_MS: "60000" };
  const relay = await startService(getMainPath("express"), variables);
  await relay.end("SIGKILL");
  await provider.close();
  expect(relay.log).toContainEqual(
    expect.objectContaining({ level: 40, msg: expect.stringMatching(/^RUN_ORPHAN_MS does nothing without RUNS_URL/) }),
  );
});
