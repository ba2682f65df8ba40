import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

const main = resolve("services/relay/dist/express/main.js");
const keysMain = resolve("scripts/keys/main.ts");

let folder: string;
const running = new Set<() => void>();
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "trust-start-"));
});
afterEach(async () => {
  for (const stop of running) stop();
  running.clear();
  await rm(folder, { recursive: true });
});

/** Starts a service in a folder of the test's own. */
function start(variables: Record<string, string>) {
  const child = spawn(process.execPath, [main], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? "", LLM_API_KEY: "sk-test", PORT: "0", ...variables },
    stdio: ["ignore", "pipe", "pipe"],
  });
  running.add(() => child.kill("SIGKILL"));
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (bytes) => (output += bytes));
  const address = async () => {
    await vi.waitFor(() => expect(output).toMatch(/"address":"/), { timeout: 60_000 });
    return (/"address":"([^"]+)"/.exec(output)?.[1] ?? "").replace("0.0.0.0", "127.0.0.1");
  };
  return { output: () => output, address, exited: once(child, "close").then(([code]) => code as number) };
}

const warning = /"level":40.*no key is asked for.*npm run keys -- add --name my-app --namespace default/;

test("with a file of keys that can't be read it does not start, and says how to make one", async () => {
  const service = start({ AUTH_KEYS_FILE: "nowhere.json" });
  expect(await service.exited).toBe(1);
  expect(service.output()).toBe(
    "AUTH_KEYS_FILE nowhere.json can't be read (ENOENT): make it with npm run keys -- add --name my-app --namespace default\n",
  );
});

test("on loopback all is open, without a word about it", async () => {
  const service = start({});
  const url = await service.address();
  expect((await fetch(`${url}/agent`, { method: "POST" })).status).toBe(400);
  expect(service.output()).not.toMatch(/"level":[456]0/);
});

test("a public address without keys warns, and the command that it names mends it while it runs", async () => {
  const service = start({ HOST: "0.0.0.0" });
  const url = await service.address();
  expect(service.output()).toMatch(warning);
  const status = async (headers: Record<string, string> = {}) =>
    (await fetch(`${url}/agent`, { method: "POST", headers })).status;
  expect(await status()).toBe(400);
  const command = [keysMain, "add", "--name", "my-app", "--namespace", "default"];
  const { stdout } = await promisify(execFile)(process.execPath, command, { cwd: folder });
  await vi.waitFor(async () => expect(await status()).toBe(401), { timeout: 60_000, interval: 100 });
  expect(await status({ "X-API-Key": stdout.trim() })).toBe(400);
  const next = start({ HOST: "0.0.0.0" });
  await next.address();
  expect(next.output()).not.toMatch(warning);
}, 120_000);
