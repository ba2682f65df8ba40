import { execFile } from "node:child_process";
import { mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { createTemporaryFolder } from "@agent-backends/testing/fixtures";
import type { Rolldown } from "vite";
import { build } from "vite";
import { beforeAll, expect, test } from "vitest";

const root = join(import.meta.dirname, "../../..");
const run = promisify(execFile);
const maxBundleBytes = 10_000;

const consumer = await createTemporaryFolder();
const installed = join(consumer, "node_modules/@agent-backends/client");

beforeAll(async () => {
  await writeFile(join(consumer, "package.json"), '{ "private": true, "type": "module" }');
  const args = ["pack", "--pack-destination", consumer, "--json", "--ignore-scripts", "--offline"];
  const { stdout } = await run("npm", args, { cwd: join(root, "packages/client") });
  const [{ filename }] = JSON.parse(stdout);
  // All that `npm install` does with a package that has no dependencies.
  await mkdir(installed, { recursive: true });
  await run("tar", ["-xzf", join(consumer, filename), "-C", installed, "--strip-components=1"]);
  expect(JSON.parse(await readFile(join(installed, "package.json"), "utf8"))).not.toHaveProperty("dependencies");
});

/** The TypeScript blocks of a page, which continue each other. */
async function readSnippets(page: string): Promise<string> {
  const text = await readFile(join(root, page), "utf8");
  return [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, block]) => block).join("\n");
}

test.each([
  ["bundler", { module: "esnext", lib: ["es2022", "dom", "dom.iterable"], skipLibCheck: true }],
  ["nodenext", { module: "nodenext", lib: ["es2022"], skipLibCheck: false }],
])(
  "every snippet of the documentation is valid in a project that installed the package, with moduleResolution %s",
  async (moduleResolution, options) => {
    const project = join(consumer, moduleResolution);
    await mkdir(join(project, "node_modules"), { recursive: true });
    await symlink(join(root, "node_modules/@types"), join(project, "node_modules/@types"));
    await symlink(join(root, "node_modules/undici-types"), join(project, "node_modules/undici-types"));
    const compilerOptions = {
      ...{ moduleResolution, target: "es2022", strict: true, noEmit: true, types: ["node"] },
      ...{ exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true },
      ...options,
    };
    await writeFile(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["*.ts"] }));
    await writeFile(join(project, "readme.ts"), await readSnippets("packages/client/README.md"));
    await writeFile(join(project, "guide.ts"), await readSnippets("docs/guides/client.md"));
    const { stdout } = await run(process.execPath, [
      join(root, "node_modules/typescript/bin/tsc"),
      "-p",
      project,
    ]).catch((error: { stdout: string }) => error);
    expect(stdout).toBe("");
  },
);

test("the whole package is smaller than 10 kB, compressed", async () => {
  const entry = join(installed, "dist/index.js");
  const { output } = (await build({
    configFile: false,
    logLevel: "silent",
    build: { write: false, minify: true, rolldownOptions: { input: entry, preserveEntrySignatures: "strict" } },
  })) as Rolldown.RolldownOutput;
  const { code } = output[0];
  expect(output).toHaveLength(1);
  expect(code).toMatch(/KnowledgeClient/);
  expect(gzipSync(code).length).toBeLessThan(maxBundleBytes);
});
