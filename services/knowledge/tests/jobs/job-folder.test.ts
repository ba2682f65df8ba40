import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach } from "vitest";
import { JobFolder } from "../../jobs/job-folder.ts";
import { testJobStore } from "./conformance.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "knowledge-jobs-"));
});
afterEach(() => rm(folder, { recursive: true }));

testJobStore("in a folder", { open: () => new JobFolder(folder) });
