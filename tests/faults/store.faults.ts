import { execFileSync } from "node:child_process";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ScriptedProvider, ServiceProcess } from "@agent-backends/testing";
import { serviceMains, startScriptedProvider, startService } from "@agent-backends/testing";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { root } from "../observability/services.ts";
import { ask, expectCleanEnd, expectSurvival, post } from "./survival.ts";

let provider: ScriptedProvider;
let folder: string;
beforeAll(async () => {
  provider = await startScriptedProvider();
});
afterAll(() => provider.close());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "store-faults-"));
  await chmod(folder, 0o755);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const start = (shell?: string): Promise<ServiceProcess> =>
  startService(
    root + serviceMains.knowledge,
    { LLM_BASE_URL: provider.baseUrl, KNOWLEDGE_STORE: join(folder, "store") },
    shell === undefined ? {} : { shell },
  );

async function ingest(service: ServiceProcess, value: string) {
  const response = await post(`${service.baseUrl}/api/tools/ingest`, { sources: [{ type: "text", value }] });
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers whose shape they assert.
  const body = (await response.json()) as any;
  return { status: response.status, body, id: body.saved?.[0]?.document_id as string | undefined };
}

const isThere = async (service: ServiceProcess, id: string) =>
  (await ask(`${service.baseUrl}/api/namespaces/default/documents/${id}`)).status === 200;

const longText = (seed: number) =>
  Array.from({ length: 20_000 }, (_, index) => `word${(index * 7919 + seed * 104_729) % 99_991}`).join(" ");

test("a full disk refuses ingests and loses none that was acknowledged", async () => {
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=6m", "tmpfs", folder], { stdio: "pipe" });
  } catch (error) {
    process.stderr.write(`\nNOT TESTED: a full disk. A small tmpfs can't be mounted here (run as root): ${error}\n`);
    return;
  }
  try {
    const service = await start();
    const acknowledged: string[] = [];
    let refused = 0;
    for (let index = 0; index < 200 && refused < 5; index += 1) {
      const { status, id } = await ingest(service, longText(index));
      if (id === undefined) refused += 1;
      else acknowledged.push(id);
      expect(status === 200 || status === 400 || status >= 500).toBe(true);
    }
    expect(refused).toBe(5);
    expect(acknowledged.length).toBeGreaterThan(0);
    for (const id of acknowledged) expect(await isThere(service, id)).toBe(true);
    await expectSurvival(service);
    execFileSync("mount", ["-o", "remount,size=200m", folder]);
    const { id: afterwards = "" } = await ingest(service, "There is room again.");
    acknowledged.push(afterwards);
    await expectCleanEnd(service);
    const again = await start();
    for (const id of acknowledged) expect(await isThere(again, id)).toBe(true);
    await expectCleanEnd(again);
  } finally {
    execFileSync("umount", ["-l", folder]);
  }
});

test("a store that can't be written says so, and still answers what it holds", async () => {
  const before = await start();
  const { id = "" } = await ingest(before, "Refunds take five days.");
  await expectCleanEnd(before);
  execFileSync("chmod", ["-R", "a-w,a+rX", join(folder, "store")]);
  // Root may write everywhere: it becomes nobody.
  const nobody = 'if [ "$(id -u)" = 0 ]; then exec setpriv --reuid=65534 --regid=65534 --clear-groups "$0" "$@"; fi';
  const service = await start(nobody);
  const { status, body } = await ingest(service, "Another text.");
  expect(status).toBeGreaterThanOrEqual(400);
  expect(JSON.stringify(body)).not.toContain(folder);
  expect(await isThere(service, id)).toBe(true);
  await expectCleanEnd(service);
  execFileSync("chmod", ["-R", "u+w", join(folder, "store")]);
});

test("a store that is deleted underneath is missed, and made again", async () => {
  const service = await start();
  await ingest(service, "Refunds take five days.");
  await rm(join(folder, "store"), { recursive: true, force: true });
  const search = () => post(`${service.baseUrl}/api/tools/searchDocs`, { query: "refunds" });
  expect([200, 500, 503]).toContain((await search()).status);
  await expectSurvival(service);
  const { id } = await ingest(service, "Parcels take two days.");
  if (id !== undefined) expect(await isThere(service, id)).toBe(true);
  await expectCleanEnd(service);
  const again = await start();
  if (id !== undefined) expect(await isThere(again, id)).toBe(true);
  expect((await ingest(again, "Refunds take five days.")).status).toBe(200);
  await expectCleanEnd(again);
});

test("a namespace that is written and deleted at the same time is whole afterwards", async () => {
  const service = await start();
  const deleteAll = () => ask(`${service.baseUrl}/api/namespaces/default`, { method: "DELETE" });
  const end = performance.now() + 5_000;
  let texts = 0;
  await Promise.all(
    Array.from({ length: 6 }, async (_, client) => {
      while (performance.now() < end) {
        if (client % 2 === 0) expect([204, 404]).toContain((await deleteAll()).status);
        else await ingest(service, `Text ${texts++}.`);
      }
    }),
  );
  const { id = "" } = await ingest(service, "The last text.");
  expect(await isThere(service, id)).toBe(true);
  expect((await deleteAll()).status).toBe(204);
  await expectCleanEnd(service);
});

test("a file in the place of the store keeps the service from being ready, not from answering", async () => {
  await writeFile(join(folder, "store"), "no folder");
  const service = await start().catch((error: unknown) => error as Error);
  if (service instanceof Error) {
    expect(service.message).toMatch(/could not start|KNOWLEDGE_STORE/);
    return;
  }
  expect((await ask(`${service.baseUrl}/ready`)).status).toBe(503);
  expect((await ingest(service, "A text.")).status).toBeGreaterThanOrEqual(400);
  await expectCleanEnd(service);
});

test("a service that is killed at any moment has kept what it acknowledged", async () => {
  const acknowledged: string[] = [];
  for (let round = 0; round < 5; round += 1) {
    const service = await start();
    for (const id of acknowledged) expect(await isThere(service, id)).toBe(true);
    const writers = Array.from({ length: 4 }, async (_, writer) => {
      for (let index = 0; ; index += 1) {
        const answer = await ingest(service, `Round ${round}, writer ${writer}, text ${index}.`).catch(() => undefined);
        if (!answer) return;
        if (answer.id !== undefined) acknowledged.push(answer.id);
      }
    });
    await new Promise((resolve) => setTimeout(resolve, 300 + 170 * round));
    await service.end("SIGKILL");
    await Promise.all(writers);
  }
  expect(acknowledged.length).toBeGreaterThan(10);
  const service = await start();
  for (const id of acknowledged) expect(await isThere(service, id)).toBe(true);
  await expectCleanEnd(service);
});
