import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { services } from "@agent-backends/contract/services";
import { CommandProcess, docx, freePorts, pdf, startScriptedProvider } from "@agent-backends/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { deploy, readText, root } from "./files.ts";

const maxMegabytes = 350;

/** The image's user. Root, who may write anywhere, becomes it. */
const asUser = process.getuid?.() === 0 ? ["setpriv", "--reuid=1000", "--regid=1000", "--clear-groups"] : [];

describe("the tree of the image", () => {
  const folder = mkdtempSync(join(tmpdir(), "deploy-image-"));
  const app = join(folder, "app");
  const run = (...command: string[]) =>
    execFileSync(join(app, "deploy/start.sh"), command, { cwd: folder, encoding: "utf8" });

  beforeAll(() => {
    execFileSync(join(deploy, "image/assemble.sh"), [app], { cwd: root });
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test(`has no development packages and less than ${maxMegabytes} MB`, () => {
    const [megabytes] = execFileSync("du", ["-sm", app], { encoding: "utf8" }).split("\t");
    process.stdout.write(`The tree of the image has ${megabytes} MB, without Node.\n`);
    expect(Number(megabytes)).toBeLessThan(maxMegabytes);
    expect(() => execFileSync("ls", [join(app, "node_modules/typescript")], { stdio: "pipe" })).toThrow();
  });

  test("makes keys", () => {
    const made = run(
      "node",
      "cli/dist/main.js",
      "keys",
      "add",
      "--file",
      join(folder, "keys.json"),
      "--name",
      "first",
      "--namespace",
      "*",
    );
    expect(made.trim().split("\n").at(-1)).toMatch(/^\S{20,}$/);
  });

  test("runs each service as a user who may write to the mounted folders only", async () => {
    const provider = await startScriptedProvider();
    const [data, temporary] = ["data", "tmp"].map((name) => join(folder, name)) as [string, string];
    chmodSync(folder, 0o755);
    for (const mounted of [data, temporary]) {
      mkdirSync(mounted);
      chmodSync(mounted, 0o777);
    }
    const ports = await freePorts(4);
    const processes = Object.values(services).map(({ name }, at) => {
      const environment = {
        ...{ PORT: String(ports[at]), KNOWLEDGE_STORE: join(data, "knowledge"), TMPDIR: temporary },
        ...{ LLM_API_KEY: "sk-test", LLM_BASE_URL: provider.baseUrl },
      };
      const [command = "", ...rest] = [...asUser, join(app, "deploy/start.sh"), name];
      return new CommandProcess(command, rest, { cwd: folder, environment });
    });
    try {
      await Promise.all(processes.map((one) => one.printed(/ listens on /)));
      for (const port of ports) {
        const baseUrl = `http://127.0.0.1:${port}`;
        for (const path of ["/health", "/ready", "/openapi.json", "/docs"]) {
          expect([path, (await fetch(baseUrl + path)).status]).toEqual([path, 200]);
        }
      }
      const knowledge = Object.values(services).findIndex(({ name }) => name === "knowledge");
      const form = new FormData();
      form.append("files", new File([pdf([["Refunds take 30 days."]])], "a.pdf"));
      form.append("files", new File([docx([{ paragraph: "Parcels take 3 days." }])], "b.docx"));
      const stored = await fetch(`http://127.0.0.1:${ports[knowledge]}/api/tools/ingest`, {
        method: "POST",
        body: form,
      });
      expect(await stored.json()).toMatchObject({ saved: [{ chunks: 1 }, { chunks: 1 }], errors: [] });
    } finally {
      await Promise.all(processes.map((one) => one.stop()));
      await provider.close();
    }
  });
});

test("a linter finds nothing in the Dockerfile", () => {
  const linter = join(root, "tests/deploy/node_modules/.bin/dockerfile-utils");
  expect(execFileSync(linter, ["lint", join(deploy, "image/Dockerfile")], { encoding: "utf8" })).toBe("");
});

test("the Dockerfile copies only what git has", () => {
  const copied = [...readText("image/Dockerfile").matchAll(/^COPY (?!--from)(.*) \S+$/gm)].flatMap(([, from = ""]) =>
    from.split(" "),
  );
  expect(copied.length).toBeGreaterThan(1);
  for (const file of copied) execFileSync("git", ["ls-files", "--error-unmatch", file], { cwd: root });
});
