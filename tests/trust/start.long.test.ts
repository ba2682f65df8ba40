import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, symlink } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { freePorts, serviceMains } from "@agent-backends/testing";
import { createTemporaryFolder } from "@agent-backends/testing/fixtures";
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from "vitest";

const relayMain = serviceMains["relay-express"];

let folder: string;
const running = new Set<() => void>();
beforeEach(async () => {
  folder = await createTemporaryFolder(onTestFinished);
});
afterEach(async () => {
  for (const stop of running) stop();
  running.clear();
});

/** Starts a service in the test's own folder. */
function start(variables: Record<string, string>, main: string = relayMain) {
  const child = spawn(process.execPath, [resolve(main)], {
    cwd: folder,
    env: {
      PATH: process.env.PATH ?? "",
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? "",
      LLM_API_KEY: "sk-test",
      PORT: "0",
      ...variables,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  running.add(() => child.kill("SIGKILL"));
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (bytes) => (output += bytes));
  const address = async () => {
    await vi.waitFor(() => expect(output).toMatch(/"address":"/), { timeout: 60_000 });
    return (/"address":"([^"]+)"/.exec(output)?.[1] ?? "").replace("0.0.0.0", "127.0.0.1");
  };
  const end = () => child.kill("SIGTERM");
  return { output: () => output, address, end, exited: once(child, "close").then(([code]) => code as number) };
}

test("with a file of keys that can't be read it does not start, and says how to make one", async () => {
  const service = start({ AUTH_KEYS_FILE: "nowhere.json" });
  expect(await service.exited).toBe(1);
  expect(service.output()).toBe(
    "AUTH_KEYS_FILE nowhere.json can't be read (ENOENT): make it with npm run keys -- add --name my-app --namespace default\n",
  );
});

test("on loopback all is open, and LOG_LEVEL=warn finds nothing to say about it", async () => {
  const [port] = await freePorts(1);
  const service = start({ LOG_LEVEL: "warn", PORT: String(port) });
  const status = () => fetch(`http://127.0.0.1:${port}/agent`, { method: "POST" }).then(({ status }) => status);
  await vi.waitFor(async () => expect(await status()).toBe(400), { timeout: 60_000, interval: 50 });
  service.end();
  expect(await service.exited).toBe(0);
  expect(service.output()).toBe("");
});

/** A copy of the checkout without its data and settings, to run its commands in. */
async function mirrorCheckout(): Promise<void> {
  const root = resolve(".");
  const kept = (await readdir(root)).filter((name) => !["data", ".git", ".env"].includes(name));
  await Promise.all(kept.map((name) => symlink(join(root, name), join(folder, name))));
}

test("at a public address without keys each service warns, and the command that it names mends all while they run", async () => {
  await mirrorCheckout();
  const services = await Promise.all(
    Object.values(serviceMains).map(async (main) => {
      const service = start({ HOST: "0.0.0.0", KNOWLEDGE_STORE: join(folder, "store") }, main);
      const url = await service.address();
      const status = async (headers: Record<string, string> = {}) =>
        (await fetch(`${url}/nowhere`, { method: "POST", headers })).status;
      return { output: service.output, status };
    }),
  );
  const commands = services.map(({ output }) => {
    const [warning, ...others] = output().match(/^\{"level":40.*no key is asked for.*$/gm) ?? [];
    expect(others).toEqual([]);
    return /To mend it, run: (npm run [^"]*)"/.exec(warning ?? "")?.[1];
  });
  const [command = "", ...others] = new Set(commands);
  expect(others).toEqual([]);
  for (const { status } of services) expect(await status()).toBe(404);
  const { stdout } = await promisify(execFile)("bash", ["-c", command], { cwd: folder });
  const key = stdout.trim().split("\n").at(-1) ?? "";
  for (const { status } of services) {
    await vi.waitFor(async () => expect(await status()).toBe(401), { timeout: 60_000, interval: 100 });
    expect(await status({ "X-API-Key": key })).toBe(404);
  }
  const next = start({ HOST: "0.0.0.0" });
  await next.address();
  expect(next.output()).not.toMatch(/"level":40.*no key is asked for/);
}, 120_000);
