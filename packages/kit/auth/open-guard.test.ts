import { EventEmitter } from "node:events";
import { chmod, writeFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import { limits } from "@agent-backends/contract";
import { patience } from "@agent-backends/testing";
import { createTemporaryFolder } from "@agent-backends/testing/fixtures";
import { expect, onTestFinished, test, vi } from "vitest";
import { z } from "zod";
import { readConfiguration, serviceVariables } from "../configuration.ts";
import { ConfigurationError } from "../environment-files.ts";
import { receiveJson } from "../json-body.ts";
import { createLimitCounts } from "../limits/limit-counts.ts";
import { createLogger } from "../logger.ts";
import { hashKey } from "./key-file.ts";
import { KeyRing } from "./key-ring.ts";
import { openGuard } from "./open-guard.ts";

const folder = await createTemporaryFolder();
const key = { name: "a", sha256: "0".repeat(64), scopes: ["ask"], namespaces: ["x"] };
const files = {
  good: { keys: [key] },
  none: { keys: [] },
  scope: { keys: [{ ...key, scopes: ["all"] }] },
  digest: { keys: [{ ...key, sha256: "my-secret-key" }] },
  twice: { keys: [key, { ...key, name: "b" }] },
  list: [key],
  misspelt: { keys: [{ ...key, namespaces: undefined, namespace: ["x"] }] },
  own: { keys: [{ ...key, comment: "of the shop", owner: "sam", created_at: "2026-11-01", expires: "never", id: 1 }] },
};
for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), JSON.stringify(content));
await writeFile(join(folder, "broken"), "{");
await writeFile(join(folder, "of-windows"), `\ufeff${JSON.stringify(files.good)}\r\n`);

const schema = z.object(serviceVariables(8000));

async function open(variables: Record<string, string>) {
  const warnings: string[] = [];
  const logger = createLogger("test", "warn", { write: (line) => warnings.push(JSON.parse(line).msg) });
  const guard = await openGuard(readConfiguration(schema, variables), {
    counts: createLimitCounts("test"),
    logger,
    fetch,
    // Whoever runs the tests may have keys.
    keysFile: join(folder, "missing"),
  });
  guard.close();
  return { asks: guard.asksForKeys, warnings };
}

test.each([
  ["good", true],
  ["none", true],
  ["of-windows", true],
  ["own", true],
])("the file %s asks for keys", async (name, asks) => {
  expect(await open({ AUTH_KEYS_FILE: join(folder, name), HOST: "0.0.0.0" })).toEqual({ asks, warnings: [] });
});

test.each([
  ["scope", "keys.0.scopes.0 must be among ask, read, write, admin"],
  ["digest", "keys.0.sha256 must be the SHA-256 of the key, 64 hexadecimal digits"],
  ["twice", "holds two keys with the same sha256"],
  ["list", 'must be an object such as {"keys": []}'],
  ["broken", "is not JSON"],
  ["misspelt", "keys.0 has namespace, which is read by nobody (did you mean namespaces?)"],
])("the file %s is refused in one line that tells what is wrong and nothing of a key", async (name, says) => {
  const path = join(folder, name);
  const error = await open({ AUTH_KEYS_FILE: path }).catch((reason) => reason);
  expect(error).toBeInstanceOf(ConfigurationError);
  expect(error.lines).toEqual([
    `AUTH_KEYS_FILE ${path} ${says}: correct it, or move it away and make it anew with npm run keys -- add --name my-app --namespace default`,
  ]);
});

test("a missing file of keys says how to make it", async () => {
  const path = join(folder, "missing");
  await expect(open({ AUTH_KEYS_FILE: path })).rejects.toThrow(
    `AUTH_KEYS_FILE ${path} can't be read (ENOENT): make it with npm run keys -- add --name my-app --namespace default`,
  );
});

test("a file of keys that the service's user may not read says so, and not that it has to be made", async () => {
  const path = join(folder, "good");
  await chmod(path, 0o000);
  // Root may read everything, so it becomes somebody else meanwhile.
  const isRoot = process.geteuid?.() === 0;
  if (isRoot) process.seteuid?.(65_534);
  const user = process.geteuid?.();
  const error = await open({ AUTH_KEYS_FILE: path }).catch((reason) => reason);
  if (isRoot) process.seteuid?.(0);
  await chmod(path, 0o600);
  expect(error.lines).toEqual([
    `AUTH_KEYS_FILE ${path} can't be read (EACCES): give it to the user that the service runs as (chown ${user}), or let that user read it`,
  ]);
});

async function openWithKey() {
  const path = join(folder, "burst");
  await writeFile(path, JSON.stringify({ keys: [{ name: "a", sha256: hashKey("my-key").toString("hex") }] }));
  const logger = createLogger("test", "silent");
  return openGuard(readConfiguration(schema, { AUTH_KEYS_FILE: path }), {
    counts: createLimitCounts("test"),
    logger,
    fetch,
  });
}

test("of a burst of health checks a few start in each turn, and none is refused", async () => {
  const guard = await openWithKey();
  const request = { headers: {}, socket: { remoteAddress: "127.0.0.1" } } as unknown as IncomingMessage;
  let started = 0;
  const all = Array.from({ length: 2 * limits.waitingRequestsPerKey }, () =>
    Promise.resolve(guard.admitOpen(request)).then(() => started++),
  );
  await nextTurn();
  expect(started).toBeLessThanOrEqual(3 * limits.requestStartsPerTurn);
  await Promise.all(all);
  guard.close();
});

test("of bodies that end at the same time a few are handled in each turn", async () => {
  const guard = await openWithKey();
  const headers = { "x-api-key": "my-key", "content-type": "application/json", "content-length": "2" };
  const requests = Array.from({ length: 100 }, () => Object.assign(new PassThrough(), { headers, complete: false }));
  let handled = 0;
  const all = requests.map(async (stream) => {
    const request = stream as unknown as IncomingMessage;
    await guard.admit(request, new EventEmitter() as ServerResponse, {});
    await receiveJson(request);
    handled++;
  });
  while (requests.some((request) => request.listenerCount("data") === 0)) await nextTurn();
  for (const request of requests) request.end("{}");
  while (handled === 0) await nextTurn();
  expect(handled).toBeLessThanOrEqual(3 * limits.requestStartsPerTurn);
  await Promise.all(all);
  guard.close();
});

test("of a burst beyond a key's share, the refusals take their turns too", async () => {
  const guard = await openWithKey();
  const request = { headers: { "x-api-key": "my-key" } } as unknown as IncomingMessage;
  const response = Object.assign(new EventEmitter().setMaxListeners(0), { closed: false }) as ServerResponse;
  let settled = 0;
  const admissions = Array.from({ length: 10 * limits.documentsPerKey }, async () => {
    const admission = guard.admit(request, response, { takes: "document" });
    await (admission as Promise<void>).finally(() => settled++);
  });
  await nextTurn();
  expect(settled).toBeLessThanOrEqual(3 * limits.requestStartsPerTurn);
  const outcomes = await Promise.allSettled(admissions);
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(limits.documentsPerKey);
  guard.close();
});

test("a file of keys that comes later and can't be read closes the service, until it can", async () => {
  const home = await createTemporaryFolder(onTestFinished);
  const path = join(home, "keys.json");
  const errors: string[] = [];
  const logger = createLogger("test", "error", { write: (line) => errors.push(JSON.parse(line).msg) });
  const ring = await KeyRing.open(path, { logger, mayBeMissing: true, intervalMs: 5 });
  expect(ring.isActive).toBe(false);
  await writeFile(path, "{");
  await vi.waitFor(() => expect(ring.isActive).toBe(true), patience);
  expect(errors).toContainEqual(expect.stringContaining("is not JSON"));
  expect(ring.find("my-key")).toBeUndefined();
  await writeFile(path, JSON.stringify({ keys: [{ name: "a", sha256: hashKey("my-key").toString("hex") }] }));
  await vi.waitFor(() => expect(ring.find("my-key")?.name).toBe("a"), patience);
  ring.close();
});

test.each([
  [{ AUTH_JWKS_URL: "https://login.example.com/jwks" }, ["AUTH_JWT_ISSUER", "AUTH_JWT_AUDIENCE"]],
  [{ AUTH_JWT_ISSUER: "https://login.example.com" }, ["AUTH_JWKS_URL"]],
  [{ AUTH_JWT_AUDIENCE: "us" }, ["AUTH_JWKS_URL"]],
])("tokens by %j alone are refused: what is missing is named", async (variables, missing) => {
  const error = await open(variables).catch((reason) => reason);
  expect(error.lines.map((line: string) => line.split(" ")[0])).toEqual(missing);
});

test.each(["127.0.0.1", "127.8.8.8", "::1", "[::1]", "localhost"])("on %s all is open and well", async (HOST) => {
  expect(await open({ HOST })).toEqual({ asks: false, warnings: [] });
});

test.each(["0.0.0.0", "::", "192.168.1.5", "example.com"])("on %s without keys there is a warning", async (HOST) => {
  const { asks, warnings } = await open({ HOST });
  expect(asks).toBe(false);
  expect(warnings).toEqual([expect.stringMatching(/anyone may use this service.*npm run keys -- add --name/)]);
});
