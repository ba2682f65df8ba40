import { readFile } from "node:fs/promises";
import { limitTable } from "@agent-backends/contract";
import { expect, test } from "vitest";
import { limitsDocument } from "./document.ts";

test("the documented limits are those that hold; npm run docs:limits writes them anew", async () => {
  expect(await readFile("docs/limits.md", "utf8")).toBe(limitsDocument(limitTable));
});
