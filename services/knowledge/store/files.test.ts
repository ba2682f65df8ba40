import { mkdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createTemporaryFolder } from "@agent-backends/testing/fixtures";
import { expect, it, onTestFinished } from "vitest";
import { listFiles, makeDurableFolders } from "./files.ts";

it("folders that come and go meanwhile don't hide the files that stay, nor fail the listing", async () => {
  const folder = await createTemporaryFolder(onTestFinished);
  await mkdir(join(folder, "stays"));
  await writeFile(join(folder, "stays", "file"), "");
  let isChanging = true;
  const change = async (name: string) => {
    while (isChanging) {
      await mkdir(join(folder, name, "inner"), { recursive: true });
      await rm(join(folder, name), { recursive: true });
    }
  };
  const changes = ["a", "b", "c", "d"].map(change);
  try {
    for (let round = 0; round < 300; round += 1) {
      expect(await listFiles(folder)).toEqual([join(folder, "stays", "file")]);
    }
  } finally {
    isChanging = false;
    await Promise.all(changes);
  }
});

it("a folder that can't be created is an error at once", async () => {
  await expect(makeDurableFolders("/proc/never-made/inner")).rejects.toThrow(/EROFS|ENOENT/);
});

it("a folder that is not there is an error", async () => {
  await expect(listFiles(join(tmpdir(), "never-made"))).rejects.toThrow("ENOENT");
});
