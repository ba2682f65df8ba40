import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createTemporaryFolder } from "@agent-backends/testing/fixtures";
import { expect, test } from "vitest";
import { startService } from "./service-process.ts";

const folder = await createTemporaryFolder();

/** A service that works for so long on each request. */
async function startBusy(workMs: number) {
  const main = join(folder, `busy-${workMs}.mjs`);
  await writeFile(
    main,
    `import { createServer } from "node:http";
    const server = createServer((request, response) => {
      const usage = process.threadCpuUsage();
      for (;;) {
        const { user, system } = process.threadCpuUsage(usage);
        if (user + system > ${workMs * 1_000}) break;
      }
      response.end();
    }).listen(0, "127.0.0.1", () => {
      console.log(JSON.stringify({ level: 30, address: "http://127.0.0.1:" + server.address().port }));
    });`,
  );
  const service = await startService(main, {});
  await (await fetch(service.baseUrl)).text();
  // A second request is answered by a later turn: the one before has been told of.
  await (await fetch(service.baseUrl)).text();
  return service;
}

test("a test fails whose service held the event loop for long", async () => {
  const service = await startBusy(900);
  await expect(service.end("SIGKILL")).rejects.toThrow(/blocked its event loop for .*9\d\d ms/);
});

test("a test passes whose service answered each request in a short turn", async () => {
  const service = await startBusy(5);
  expect(await service.end("SIGKILL")).toBe("SIGKILL");
});
