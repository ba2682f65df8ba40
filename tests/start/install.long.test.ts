import { execFileSync, spawnSync } from "node:child_process";
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { root } from "./npm-process.ts";

const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

test.each(Object.entries<string>(manifest.scripts))("npm run %s installs what is missing first", (_name, line) => {
  expect(line).toMatch(/^\. scripts\/install(-product)?\.sh && /);
});

test("after the installation a script goes on with the installed Node, and not with the one it began with", () => {
  project = new Project();
  const { status, stdout, stderr } = project.runScript();
  expect({ status, stderr }).toMatchObject({ status: 0 });
  expect(stdout.trim().split("\n").slice(-2)).toEqual(["package", "package"]);
});

test("where the installation fails, a script goes no further", () => {
  project = new Project({ node: ">=99" });
  expect(project.runScript()).toMatchObject({ status: 1, stdout: "" });
});

test("the README and package.json name the same oldest Node", () => {
  const [, readme] = /with Node (\d+) or newer/.exec(readFileSync(join(root, "README.md"), "utf8")) ?? [];
  expect(manifest.engines.node).toBe(`>=${readme}`);
});

test("every package that is installed on this system has a hash in the lock file", () => {
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as {
    packages: Record<string, { link?: boolean; integrity?: string }>;
  };
  const installed = Object.keys(packages).filter(
    (path) => path.includes("node_modules/") && existsSync(join(root, path)),
  );
  expect(installed.length).toBeGreaterThan(100);
  expect(installed.filter((path) => !packages[path]?.link && !packages[path]?.integrity)).toEqual([]);
});

/** Where the install scripts of the test's packages write. */
const written = mkdtempSync(join(tmpdir(), "install-written-"));
/** A project with a lock file, but nothing installed. npm takes long to make it, so each test gets a copy. */
const template = mkdtempSync(join(tmpdir(), "install-template-"));

beforeAll(() => {
  mkdirSync(join(template, "scripts"));
  for (const name of ["install.mjs", "install.sh"]) {
    copyFileSync(join(root, "scripts", name), join(template, "scripts", name));
  }
  const tarballs: Record<string, string> = {};
  for (const name of ["wanted-package", "other-package", "development-package"]) {
    const folder = join(template, name);
    mkdirSync(folder);
    const script = `node -e "require('fs').writeFileSync('${join(written, name)}', '')"`;
    writeFileSync(
      join(folder, "package.json"),
      JSON.stringify({
        name,
        version: "1.0.0",
        scripts: { preinstall: script, postinstall: script },
        ...(name === "wanted-package" && { bin: { node: "node" } }),
      }),
    );
    // Stands in for the package that contains Node.
    writeFileSync(join(folder, "node"), `#!/bin/sh\nNODE_OF=package exec "${process.execPath}" "$@"\n`, {
      mode: 0o755,
    });
    execFileSync("npm", ["pack", "--silent"], { cwd: folder });
    tarballs[name] = `file:${name}/${name}-1.0.0.tgz`;
  }
  const { "development-package": developed, ...dependencies } = tarballs;
  const devDependencies = { "development-package": developed };
  writeFileSync(
    join(template, "package.json"),
    JSON.stringify({ name: "project", version: "1.0.0", dependencies, devDependencies }),
  );
  execFileSync("npm", ["install", "--package-lock-only", "--ignore-scripts", "--silent"], { cwd: template });
});
afterAll(() => {
  for (const folder of [template, written]) rmSync(folder, { recursive: true });
});

/** A project in a folder with a space in its name. It has three packages whose install scripts each write a file. */
class Project {
  readonly folder = join(mkdtempSync(join(tmpdir(), "install-")), "a b");

  constructor(engines = manifest.engines) {
    cpSync(template, this.folder, { recursive: true });
    const ask = "node -p process.env.NODE_OF";
    const scripts = { get: "node scripts/install.mjs", ask: `. scripts/install.sh && ${ask} && exec ${ask}` };
    this.#change("package.json", { engines, scripts });
  }

  #read(path: string) {
    return JSON.parse(readFileSync(join(this.folder, path), "utf8"));
  }

  #change(path: string, fields: object) {
    writeFileSync(join(this.folder, path), JSON.stringify({ ...this.#read(path), ...fields }));
  }

  install(environment: Record<string, string> = {}, ...options: string[]) {
    const env = { ...process.env, ...environment };
    delete env.npm_execpath;
    return spawnSync("node", ["scripts/install.mjs", ...options], { cwd: this.folder, env, encoding: "utf8" });
  }

  has(path: string): boolean {
    return existsSync(join(this.folder, "node_modules", path));
  }

  /** Installs with an npm script, which uses the Node that an earlier install put into `node_modules`. */
  installAgain() {
    const bin = join(this.folder, "node_modules/.bin");
    mkdirSync(bin, { recursive: true });
    copyFileSync(process.execPath, join(bin, "node"));
    return spawnSync("npm", ["run", "get", "--silent"], { cwd: this.folder, encoding: "utf8" });
  }

  /** Runs a script of package.json in a folder without `node_modules`. */
  runScript() {
    const env = { ...process.env, NODE_OF: "system" };
    return spawnSync("npm", ["run", "ask", "--silent"], { cwd: this.folder, env, encoding: "utf8" });
  }

  /** The packages whose install scripts have run. */
  get scripted(): string[] {
    return readdirSync(written);
  }

  /** What a pull does that brings another version of a package, as far as npm's record of what is installed shows it. */
  outdate(name: string) {
    const { packages, ...record } = this.#read("node_modules/.package-lock.json");
    packages[`node_modules/${name}`].version = "0.9.0";
    writeFileSync(join(this.folder, "node_modules/.package-lock.json"), JSON.stringify({ ...record, packages }));
  }

  leaveOut(name: string) {
    for (const file of ["package.json", "package-lock.json"]) {
      const { dependencies, packages } = this.#read(file);
      if (dependencies) delete dependencies[name];
      if (packages) {
        delete packages[""].dependencies[name];
        delete packages[`node_modules/${name}`];
      }
      this.#change(file, { ...(dependencies && { dependencies }), ...(packages && { packages }) });
    }
  }

  removeHashOf(name: string) {
    const { packages } = this.#read("package-lock.json");
    delete packages[`node_modules/${name}`].integrity;
    this.#change("package-lock.json", { packages });
  }

  remove() {
    rmSync(join(this.folder, ".."), { recursive: true });
    for (const name of readdirSync(written)) rmSync(join(written, name));
  }
}

let project: Project | undefined;
beforeEach(() => {
  project = undefined;
});
afterEach(() => project?.remove());

test("runs no install script of any package", () => {
  project = new Project();
  const { status, stderr } = project.install({ NODE_ENV: "production" });
  expect({ status, stderr }).toMatchObject({ status: 0 });
  expect(project.has("other-package/package.json")).toBe(true);
  expect(project.has("development-package/package.json")).toBe(true);
  expect(project.scripted).toEqual([]);
});

test("what runs the product comes without what only development takes, which is added later beside services that run, and kept", () => {
  project = new Project();
  expect(project.install({}, "--omit=dev")).toMatchObject({ status: 0, stderr: "" });
  expect(project.has("development-package")).toBe(false);
  writeFileSync(join(project.folder, "node_modules/wanted-package/in-use"), "");
  expect(project.install({}, "--omit=dev").stdout).toBe("");
  expect(project.install()).toMatchObject({ status: 0, stderr: "" });
  expect(project.has("development-package")).toBe(true);
  expect(project.has("wanted-package/in-use")).toBe(true);
  expect(project.install().stdout).toBe("");
  project.outdate("other-package");
  expect(project.install({}, "--omit=dev")).toMatchObject({ status: 0, stderr: "" });
  expect(project.has("development-package")).toBe(true);
  expect(project.has("wanted-package/in-use")).toBe(false);
});

test("installs again after an update, on the installed Node that goes away meanwhile", () => {
  project = new Project();
  const { status, stderr } = project.installAgain();
  expect({ status, stderr }).toMatchObject({ status: 0 });
  expect(project.has("wanted-package")).toBe(true);
});

test("a system without a Node among the packages is named", () => {
  project = new Project();
  project.leaveOut("wanted-package");
  const { status, stderr } = project.install();
  expect(status).toBe(1);
  expect(stderr).toContain(`There is no Node for ${process.platform} on ${process.arch} among the packages`);
});

test("a package whose hash the lock file lacks is named as not checked", () => {
  project = new Project();
  project.removeHashOf("other-package");
  const { status, stderr } = project.install();
  expect({ status, stderr }).toEqual({
    status: 0,
    stderr: "Not checked, as package-lock.json has no integrity hash for this system's: other-package\n",
  });
});

test("an older Node than the README asks for is told which one to install", () => {
  project = new Project({ node: ">=99" });
  const { status, stderr } = project.install();
  expect(status).toBe(1);
  expect(stderr).toContain("is too old: install Node 99 or newer");
});
