import { readdir } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { knowledgeLimits } from "@agent-backends/contract";
import { safeFetch } from "@agent-backends/kit/safe-fetch";
import { listenOnLoopback } from "@agent-backends/testing/fixtures";
import { expect, it } from "vitest";
import { processMark } from "../../store/temporary-files.ts";
import { PageFetches } from "./page-fetches.ts";

const answering = new Set<ServerResponse>();
/** Its pages begin and go on when they are told to. */
const server = createServer((_request, response) => {
  answering.add(response.writeHead(200, { "content-type": "text/plain" }));
  response.write("The beginning.");
  response.on("close", () => answering.delete(response));
});
const origin = await listenOnLoopback(server);

const ownFiles = async () => (await readdir(tmpdir())).filter((name) => name.includes(processMark));
/** Other test files run in this process as well. */
const filesOfOthers = new Set(await ownFiles());
const filesLeft = async () => (await ownFiles()).filter((name) => !filesOfOthers.has(name));
const { pageFetchesPerKey } = knowledgeLimits;

it("a client's pages are fetched a few at a time, on disk, beside those of others, until it leaves", async () => {
  const pages = new PageFetches((url, path, signal) =>
    safeFetch(url, { path, allowPrivate: true, timeoutMs: 30_000, maxBytes: 1_000, ...(signal && { signal }) }),
  );
  const left = new AbortController();
  const caller = { client: "many", signal: left.signal };
  const many = Array.from({ length: 3 * pageFetchesPerKey }, () => pages.read(origin, caller, async () => "read"));
  await expect.poll(() => answering.size).toBe(pageFetchesPerKey);
  const other = pages.read(origin, { client: "other" }, async ({ bytesOnDisk }) => ({
    bytesOnDisk,
    files: await filesLeft(),
  }));
  await expect.poll(() => answering.size).toBe(pageFetchesPerKey + 1);
  [...answering].at(-1)?.end(" The end.");
  expect(await other).toEqual({ bytesOnDisk: 23, files: expect.objectContaining({ length: pageFetchesPerKey + 1 }) });

  left.abort(new Error("the client left"));
  for (const { status } of await Promise.allSettled(many)) expect(status).toBe("rejected");
  await expect.poll(() => answering.size).toBe(0);
  expect(await filesLeft()).toEqual([]);
});
