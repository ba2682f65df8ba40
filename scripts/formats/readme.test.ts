import { readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { formats } from "../../services/knowledge/ingest/extract/formats.ts";
import { withFormats } from "./readme.ts";

test("the README names every format that can be read; npm run docs:formats writes them anew", async () => {
  const readme = await readFile("README.md", "utf8");
  expect(withFormats(readme, Object.values(formats))).toBe(readme);
});
