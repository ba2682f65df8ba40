import type { ChildProcessByStdio } from "node:child_process";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import type { Readable } from "node:stream";
import type { ScriptedProvider } from "@agent-backends/testing";
import { answer, sseEvents, startScriptedProvider } from "@agent-backends/testing";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { eventually, textOf } from "./harness.ts";
import { postAgent, runInput } from "./run-inputs.ts";

interface Process {
  child: ChildProcessByStdio<null, Readable, Readable>;
  output(): string;
  exitCode: Promise<number>;
  /** The address that it says it listens on. */
  address(): Promise<string>;
}

const running: Process[] = [];

function start(name: "express" | "nest", environment: Record<string, string>): Process {
  const main = new URL(`../dist/${name}/main.js`, import.meta.url).pathname;
  if (!existsSync(main)) throw new Error("The relay is not built: run tsc -b first.");
  // Away from the project's folder, so that no .env of it is read.
  const child = spawn(process.execPath, [main], {
    cwd: "/",
    env: { PORT: "0", NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (output += chunk.toString()));
  const exitCode = once(child, "close").then(([code]) => code as number);
  const started: Process = {
    child,
    exitCode,
    output: () => output,
    async address() {
      await eventually(() => output.includes("listens on") || child.exitCode !== null, "the relay listened");
      return /listens on (http:\/\/[^\s"]+)/.exec(output)?.[1] ?? "";
    },
  };
  running.push(started);
  return started;
}

let provider: ScriptedProvider;
beforeEach(async () => {
  provider = await startScriptedProvider();
});
afterEach(async () => {
  for (const { child } of running.splice(0)) child.kill("SIGKILL");
  await provider.close();
});

describe("without a key", () => {
  test("the NestJS one refuses to start and names the variable", async () => {
    const relay = start("nest", {});
    expect(await relay.exitCode).toBe(1);
    expect(relay.output().trim().split("\n")).toEqual([expect.stringMatching(/^LLM_API_KEY /)]);
  });

  test("the Express one starts, runs, and says that it is not ready", async () => {
    const relay = start("express", { LLM_BASE_URL: provider.baseUrl });
    const url = await relay.address();
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
    const relay = start(name, { ...environment(), PORT: "eighty", RELAY_PROFILE: "both", LLM_BASE_URL: "nowhere" });
    expect(await relay.exitCode).toBe(1);
    const lines = relay.output().trim().split("\n");
    expect(lines.map((line) => line.split(" ")[0]).sort()).toEqual(["LLM_BASE_URL", "PORT", "RELAY_PROFILE"]);
  });

  test("lets a running stream end after SIGTERM, refuses new requests meanwhile, then exits 0", async () => {
    const { promise: goOn, resolve } = Promise.withResolvers<void>();
    const half = `data: {"choices":[{"index":0,"delta":{"content":"half"}}]}\n\n`;
    provider.script(answer.bytes([half, goOn, "data: [DONE]\n\n"]));
    const relay = start(name, environment());
    const url = await relay.address();
    const pieces = textOf(await postAgent(url, runInput()));
    let seen = "";
    while (!seen.includes("half")) seen += (await pieces.next()).value;

    relay.child.kill("SIGTERM");
    await eventually(() => relay.output().includes("stops"), "the relay began to stop");
    for (const response of [await fetch(`${url}/ready`), await postAgent(url, runInput())]) {
      expect(response.status).toBe(503);
      expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
      expect(response.headers.get("content-type")).toMatch(/^application\/problem\+json/);
    }
    expect((await fetch(`${url}/health`)).status).toBe(200);

    resolve();
    for (let piece = await pieces.next(); !piece.done; piece = await pieces.next()) seen += piece.value;
    expect(sseEvents(seen).at(-1)?.type).toBe("RUN_FINISHED");
    expect(await relay.exitCode).toBe(0);
    expect(relay.output()).not.toContain("sk-secret");
  });

  test("ends a stream with an error event when the grace is over", async () => {
    provider.script(answer.hangAfter("half"));
    const relay = start(name, { ...environment(), SHUTDOWN_GRACE_MS: "100" });
    const response = await postAgent(await relay.address(), runInput());
    const request = await provider.chatRequest();
    relay.child.kill("SIGTERM");
    expect(sseEvents(await response.text()).at(-1)).toEqual({
      type: "RUN_ERROR",
      message: "The service is shutting down; please try again.",
    });
    expect(await relay.exitCode).toBe(0);
    await request.closed;
    expect(request.aborted).toBe(true);
  });
});
