import type { ScriptedProvider, ServiceProcess } from "@agent-backends/testing";
import { answer, failedStart, sseEvents, startScriptedProvider, startService } from "@agent-backends/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { eventually, textOf } from "./harness.ts";
import { postAgent, runInput } from "./run-inputs.ts";

const mainOf = (name: "express" | "nest") => new URL(`../dist/${name}/main.js`, import.meta.url).pathname;

let provider: ScriptedProvider;
const running: ServiceProcess[] = [];
beforeEach(async () => {
  provider = await startScriptedProvider();
});
afterEach(async () => {
  for (const relay of running.splice(0)) await relay.end("SIGKILL");
  await provider.close();
});

async function start(name: "express" | "nest", environment: Record<string, string>): Promise<ServiceProcess> {
  const relay = await startService(mainOf(name), environment);
  running.push(relay);
  return relay;
}

describe("without a key", () => {
  test("the NestJS one refuses to start and names the variable", async () => {
    expect(await failedStart(mainOf("nest"), {})).toEqual({ code: 1, lines: [expect.stringMatching(/^LLM_API_KEY /)] });
  });

  test("the Express one starts, runs, and says that it is not ready", async () => {
    const { baseUrl: url } = await start("express", { LLM_API_KEY: "", LLM_BASE_URL: provider.baseUrl });
    expect((await fetch(`${url}/health`)).status).toBe(200);
    const ready = await fetch(`${url}/ready`);
    expect(ready.status).toBe(503);
    expect(await ready.text()).toContain("LLM_API_KEY");
    expect(await (await postAgent(url, runInput())).text()).toContain("RUN_FINISHED");
    expect(provider.chatRequests[0]?.headers.authorization).toBeUndefined();
  });
});

describe.each(["express", "nest"] as const)("the %s process", (name) => {
  const environment = () => ({ LLM_API_KEY: "sk-secret-of-the-process", LLM_BASE_URL: provider.baseUrl });

  test("names every wrong variable on a line of its own and exits 1", async () => {
    const wrong = { PORT: "eighty", RELAY_PROFILE: "both", LLM_BASE_URL: "nowhere" };
    const { code, lines } = await failedStart(mainOf(name), { ...environment(), ...wrong });
    expect(code).toBe(1);
    expect(lines.map((line) => line.split(" ")[0]).sort()).toEqual(["LLM_BASE_URL", "PORT", "RELAY_PROFILE"]);
  });

  test("lets a running stream end after SIGTERM, refuses new requests meanwhile, then exits 0", async () => {
    const { promise: goOn, resolve } = Promise.withResolvers<void>();
    const half = `data: {"choices":[{"index":0,"delta":{"content":"half"}}]}\n\n`;
    provider.script(answer.bytes([half, goOn, "data: [DONE]\n\n"]));
    const relay = await start(name, environment());
    const { baseUrl: url } = relay;
    const pieces = textOf(await postAgent(url, runInput()));
    let seen = "";
    while (!seen.includes("half")) seen += (await pieces.next()).value;

    relay.process.kill("SIGTERM");
    await eventually(() => relay.log.some(({ msg }) => msg?.includes("stops")), "the relay began to stop");
    for (const response of [await fetch(`${url}/ready`), await postAgent(url, runInput())]) {
      expect(response.status).toBe(503);
      expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
      expect(response.headers.get("content-type")).toMatch(/^application\/problem\+json/);
    }
    expect((await fetch(`${url}/health`)).status).toBe(200);

    resolve();
    for (let piece = await pieces.next(); !piece.done; piece = await pieces.next()) seen += piece.value;
    expect(sseEvents(seen).at(-1)?.type).toBe("RUN_FINISHED");
    expect(await relay.exited).toBe(0);
    expect(JSON.stringify([relay.log, relay.printed])).not.toContain("sk-secret");
  });

  test("ends a stream with an error event when the grace is over", async () => {
    provider.script(answer.hangAfter("half"));
    const relay = await start(name, { ...environment(), SHUTDOWN_GRACE_MS: "100" });
    const response = await postAgent(relay.baseUrl, runInput());
    const request = await provider.chatRequest();
    relay.process.kill("SIGTERM");
    expect(sseEvents(await response.text()).at(-1)).toEqual({
      type: "RUN_ERROR",
      message: "The service is shutting down; please try again.",
    });
    expect(await relay.exited).toBe(0);
    await request.closed;
    expect(request.aborted).toBe(true);
  });
});
