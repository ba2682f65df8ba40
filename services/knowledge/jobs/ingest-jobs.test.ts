import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { IngestJobs } from "./ingest-jobs.ts";
import { JobFolder } from "./job-folder.ts";

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "knowledge-jobs-"));
});
afterAll(() => rm(root, { recursive: true }));

/** Jobs as a process of their own has them; none of them ends by itself. */
function processOn(folder: string) {
  return new IngestJobs({
    folder: new JobFolder(folder),
    run: ({ signal }) => new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason))),
    now: () => new Date(),
    reportError: (error) => {
      throw error;
    },
  });
}

it("jobs count for whoever sent them, also in the process that goes on with them", async () => {
  const first = processOn(root);
  for (const owner of ["key-a", "key-a", "key-b"]) {
    await first.create(await first.stage(), { namespace: "n", sources: ["x"], files: [], replaces: false, owner });
  }
  expect([first.openOf("key-a"), first.openOf("key-b")]).toEqual([2, 1]);
  await first.close();
  const second = processOn(root);
  second.start();
  await expect.poll(() => [second.openOf("key-a"), second.openOf("key-b")]).toEqual([2, 1]);
  await second.close();
});
