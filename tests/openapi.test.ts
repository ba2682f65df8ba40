import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Operations } from "@agent-backends/contract/openapi";
import {
  buildOpenApi,
  knowledgeOperations,
  listingOperations,
  relayOperations,
} from "@agent-backends/contract/openapi";
import { createTemporaryFolder } from "@agent-backends/testing/fixtures";
import { expect, onTestFinished, test } from "vitest";

const linter = fileURLToPath(new URL("../node_modules/@redocly/cli/bin/cli.js", import.meta.url));

const operations: Record<string, Operations> = {
  knowledge: knowledgeOperations,
  listing: listingOperations,
  relay: relayOperations(false),
  "relay-with-runs": relayOperations(true),
};

test("the linter finds no error and no warning in the OpenAPI documents", async () => {
  const folder = await createTemporaryFolder(onTestFinished);
  for (const [title, described] of Object.entries(operations)) {
    const document = await buildOpenApi({
      title,
      version: "1",
      description: "",
      operations: described,
      operationsFile: "",
    });
    await writeFile(join(folder, `${title}.json`), JSON.stringify(document, undefined, 2));
  }
  const files = Object.keys(operations).map((title) => `${title}.json`);
  // Redocly's linter reports its use to its makers otherwise.
  const env = { PATH: process.env.PATH, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [linter, "lint", ...files], {
    cwd: folder,
    env,
  });
  expect(stdout + stderr).toMatch(/Your API descriptions are valid/);
  expect(stdout + stderr).not.toMatch(/warning/i);
});
