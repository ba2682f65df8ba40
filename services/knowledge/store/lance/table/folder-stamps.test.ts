import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createTemporaryFolder } from "@agent-backends/testing/fixtures";
import { expect, it, onTestFinished } from "vitest";
import { FolderStamps } from "./folder-stamps.ts";

it("a folder has another stamp after each change, and none until its time must differ after the next", async () => {
  const folder = await createTemporaryFolder(onTestFinished);
  let laterMs = 0;
  const stamps = new FolderStamps(() => Date.now() + laterMs);
  expect(await stamps.read(folder)).toBeUndefined();
  laterMs = 5_000;
  const before = await stamps.read(folder);
  expect(before).toBeTypeOf("string");
  expect(await stamps.read(folder)).toBe(before);
  await writeFile(join(folder, "a"), "");
  const after = await stamps.read(folder);
  expect(after).toBeTypeOf("string");
  expect(after).not.toBe(before);
  await rm(folder, { recursive: true });
  expect(await stamps.read(folder)).toBeUndefined();
});

it("a file system whose times may be late, or aren't known, gives no stamps", async () => {
  expect(await new FolderStamps(() => Number.MAX_SAFE_INTEGER).read("/proc")).toBeUndefined();
});
