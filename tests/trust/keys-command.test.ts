import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { chmod, chown, lstat, mkdir, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { createTemporaryFolder } from "@agent-backends/testing/fixtures";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { runAgents } from "../../cli/tests/run-in-process.ts";

const main = resolve("cli/dist/main.js");

let folder: string;
beforeEach(async () => {
  folder = await createTemporaryFolder(onTestFinished);
});

/** Runs the command as `npm run keys --` does, in a folder without an `.env`. */
const spawnKeys = (...args: string[]) =>
  promisify(execFile)(process.execPath, [main, "keys", ...args], { cwd: folder, env: { PATH: process.env.PATH } });

/** The same in this process, with the default key file in the test's folder. */
const keys = (args: string[], configured = join(folder, "data/keys.json")) =>
  runAgents(["keys", ...args], { AUTH_KEYS_FILE: configured });

const read = async (path: string) => JSON.parse(await readFile(path, "utf8"));

test("a key is printed once, alone on its line, and only its digest is kept, for its owner's eyes", async () => {
  const { stdout, stderr } = await spawnKeys(
    "add",
    "--name",
    "my-app",
    "--namespace",
    "a",
    "--namespace",
    "customer-*",
  );
  expect(stdout).toMatch(/^abk_[\w-]{43}\n$/);
  const path = join(folder, "data/keys.json");
  const key = stdout.trim();
  expect(await read(path)).toEqual({
    keys: [
      {
        name: "my-app",
        sha256: createHash("sha256").update(key).digest("hex"),
        scopes: ["ask", "read", "write"],
        namespaces: ["a", "customer-*"],
      },
    ],
  });
  expect((await readFile(path, "utf8")) + stderr).not.toContain(key);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(stderr).toContain(`run the command there, or name their file: --file ${resolve("data/keys.json")}`);
  const listed = await spawnKeys("list");
  expect(listed.stderr).toBe("");
  expect(listed.stdout).toMatch(/^my-app {2}scopes ask,read,write {2}namespaces "a","customer-\*"/);
  expect(listed.stdout).not.toContain(key);
});

test("namespaces in one list are taken for one name, and said to be", async () => {
  const { notes } = await keys(["add", "--name", "a", "--namespace", "x,y"]);
  expect(notes).toContain('one namespace with the name "x,y". For several namespaces, repeat --namespace.');
  expect((await keys(["add", "--name", "b", "--namespace", "x"])).notes).not.toContain("repeat");
});

test("a service that may read the file of keys may still read it after a change, also one that is a link", async () => {
  const [file, link] = [join(folder, "keys.json"), join(folder, "link.json")];
  await keys(["add", "--name", "a", "--namespace", "x", "--file", file]);
  await chmod(file, 0o640);
  // Root gives the file to the services' user, as on a server.
  const serviceUser = process.getuid?.() === 0 ? 65_534 : process.getuid?.();
  if (serviceUser !== undefined) await chown(file, serviceUser, process.getgid?.() ?? 0);
  await symlink(file, link);
  await keys(["remove", "--name", "a", "--file", link]);
  expect(await read(file)).toEqual({ keys: [] });
  expect((await lstat(link)).isSymbolicLink()).toBe(true);
  expect(await stat(file)).toMatchObject({ uid: serviceUser ?? 0, mode: 0o100640 });
});

test("a change that services could not read is refused, and the file stays unchanged", async () => {
  const file = join(folder, "long.json");
  await keys(["add", "--name", "a", "--namespace", "x", "--file", file]);
  const before = await read(file);
  const refused = await keys(["add", "--name", "b".repeat(129), "--namespace", "x", "--file", file]);
  expect(refused).toEqual({ exitCode: 1, output: "", notes: expect.stringContaining("128") });
  expect(await read(file)).toEqual(before);
});

test("token budgets are kept, and listed", async () => {
  const path = join(folder, "budgets.json");
  const budgets = ["--tokens-per-minute", "5000", "--tokens-per-day", "100000"];
  await keys(["add", "--name", "a", "--namespace", "x", ...budgets], path);
  expect((await read(path)).keys).toMatchObject([{ tokensPerMinute: 5_000, tokensPerDay: 100_000 }]);
  expect((await keys(["list"], path)).output).toContain("5000 tokens per minute  100000 tokens per day");
});

test("scopes and a rate are kept as they are given, in the file that is named", async () => {
  const AUTH_KEYS_FILE = join(folder, "by-variable.json");
  await keys(["add", "--name", "a", "--namespace", "x", "--scope", "read", "--rate", "30"], AUTH_KEYS_FILE);
  expect((await read(AUTH_KEYS_FILE)).keys).toMatchObject([{ name: "a", scopes: ["read"], rate: 30 }]);
  const file = join(folder, "by-option.json");
  await keys(
    ["add", "--name", "b", "--namespace", "x", "--scope", "ask", "--scope", "admin", "--file", file],
    AUTH_KEYS_FILE,
  );
  expect((await read(file)).keys).toMatchObject([{ name: "b", scopes: ["ask", "admin"] }]);
  await keys(["remove", "--name", "b", "--file", file]);
  expect(await read(file)).toEqual({ keys: [] });
});

test("of keys that are added at the same time none is lost, and nothing but the file is left", async () => {
  const names = ["a", "b", "c", "d"];
  await Promise.all(names.map((name) => spawnKeys("add", "--name", name, "--namespace", "x")));
  const stored = (await read(join(folder, "data/keys.json"))).keys.map(({ name }: { name: string }) => name);
  expect(stored.sort()).toEqual(names);
  expect(await readdir(join(folder, "data"))).toEqual(["keys.json"]);
});

test.each<[string[], RegExp, number?]>([
  [[], /Nothing to do/],
  [["invent"], /"invent" is unknown/],
  [["add", "--namespace", "x"], /--name my-app/],
  [["add", "--name", "a"], /--namespace my-namespace/],
  [
    ["add", "--name", "a", "--namespace", "x", "--scope", "all"],
    /--scope all is unknown; use one of ask, read, write, admin/,
  ],
  [["add", "--name", "a", "--namespace", "x", "--rate", "0"], /--rate is "0"; use a whole number/],
  [
    ["add", "--name", "a", "--namespace", "x", "--tokens-per-day", "1e6"],
    /--tokens-per-day is "1e6"; use a whole number/,
  ],
  [
    ["add", "--name", "a", "--namespace", "x", "--tokens-per-minute", "-5"],
    /--tokens-per-minute is "-5"; use a whole number from 1 to 999999999999\./,
  ],
  [["add", "--name", "--namespace", "x"], /^agents: Option '--name' has no value: [^\n]+=-x\. See: [^\n]+\n$/],
  [["add", "--name", "a", "--namespace", "x", "--colour", "red"], /--colour/],
  [["remove", "--name", "nobody"], /no key named "nobody"/, 1],
])("%j is refused and says what would be right", async (args, says, exitCode = 2) => {
  expect(await keys(args)).toEqual({ exitCode, output: "", notes: expect.stringMatching(says) });
});

test.each([
  ["/dev/null", "/dev/null isn't a file"],
  ["/proc/none/keys.json", "The folder /proc/none can't be created (ENOENT)"],
  [".", ". isn't a file"],
])("a key in %s is refused at once", async (file, says) => {
  const { exitCode, notes } = await keys(["add", "--name", "a", "--namespace", "x", "--file", file]);
  expect([exitCode, notes]).toEqual([1, expect.stringContaining(says)]);
});

test("neither a second key of a name nor a broken file loses what is there", async () => {
  await keys(["add", "--name", "a", "--namespace", "x"]);
  const refused = spawnKeys("add", "--name", "a", "--namespace", "y");
  await expect(refused).rejects.toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("already") });
  await mkdir(join(folder, "broken"));
  const broken = join(folder, "broken/keys.json");
  await writeFile(broken, "{");
  const { exitCode, notes } = await keys(["add", "--name", "a", "--namespace", "x", "--file", broken]);
  expect([exitCode, notes]).toEqual([1, `agents: ${broken} is not JSON: correct it, or move it away.\n`]);
  expect(await readFile(broken, "utf8")).toBe("{");
  expect(await readdir(join(folder, "broken"))).toEqual(["keys.json"]);
});
