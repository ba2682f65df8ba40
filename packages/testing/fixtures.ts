import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import type { Server as HttpServer } from "node:http";
import type { AddressInfo, Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

type OnEnd = (clean: () => Promise<void>) => unknown;

/**
 * Creates a folder that is removed after the tests of the file, or after the test with `onTestFinished`. Folders are removed in reverse
 * order of creation.
 */
export async function createTemporaryFolder(onEnd: OnEnd = afterAll): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "test-"));
  onEnd(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Listens on a free loopback port until the tests of the file end, or the test with `onTestFinished`. Returns the server's origin. */
export async function listenOnLoopback(server: Server | HttpServer, onEnd: OnEnd = afterAll): Promise<string> {
  await once(server.listen(0, "127.0.0.1"), "listening");
  onEnd(async () => {
    server.close();
    if ("closeAllConnections" in server) server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
