import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { CommandProcess, freePorts } from "@agent-backends/testing";
import { createTemporaryFolder } from "@agent-backends/testing/fixtures";
import { beforeAll, expect, test } from "vitest";
import { codeBlocks } from "../../scripts/docs/pages.ts";

const root = join(import.meta.dirname, "../..");
const [express = "", nest = ""] = codeBlocks("docs/relay.md", "ts").map(({ text }) => text);

const project = await createTemporaryFolder();
beforeAll(() => {
  writeFileSync(join(project, "package.json"), '{ "private": true, "type": "module" }');
  execFileSync(process.execPath, [join(root, "scripts/pack-relay.ts"), project], { cwd: root });
  const relay = join(project, "node_modules/@agent-backends/relay");
  mkdirSync(relay, { recursive: true });
  execFileSync("tar", ["xzf", "agent-backends-relay-0.1.0.tgz", "-C", relay, "--strip-components=1"], { cwd: project });
  // What `npm install` would bring, and nothing else.
  const { dependencies, peerDependencies } = JSON.parse(readFileSync(join(relay, "package.json"), "utf8"));
  const installed = Object.keys({ ...dependencies, ...peerDependencies }).filter(
    (name) => !name.startsWith("@agent-backends/"),
  );
  for (const name of [...installed, "@types/express", "@types/node"]) {
    const link = join(project, "node_modules", name);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(join(root, "node_modules", name), link);
  }
  writeFileSync(join(project, "express.ts"), express);
  writeFileSync(join(project, "nest.ts"), nest);
});

test("the applications of docs/relay.md are valid where the packed relay is installed", () => {
  const compilerOptions = {
    ...{ module: "nodenext", target: "es2023", strict: true, skipLibCheck: true, types: ["node"] },
    ...{ experimentalDecorators: true, emitDecoratorMetadata: true, outDir: "dist", rootDir: "." },
  };
  writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["*.ts"] }));
  execFileSync(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "-p", project]);
});

test.each([
  ["express", express],
  ["nest", nest],
])("the %s application starts there and is ready without a key", async (name) => {
  const [port] = await freePorts(1);
  const environment = { PORT: String(port), LLM_BASE_URL: "http://127.0.0.1:9/v1" };
  const application = new CommandProcess(process.execPath, [`dist/${name}.js`], { cwd: project, environment });
  try {
    let ready: Response | undefined;
    await expect
      .poll(async () => (ready = await fetch(`http://127.0.0.1:${port}/chat/ready`).catch(() => undefined)))
      .toBeDefined();
    expect(ready?.status).toBe(200);
  } finally {
    await application.stop();
  }
  expect(application.output).not.toContain("LLM_API_KEY");
});
