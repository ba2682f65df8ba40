// Turns off one protection after the other in a copy of the project, and checks that the tests named for it in docs/security.md fail.
// With arguments, only the protections whose name contains all of them.
import { execFileSync, spawnSync } from "node:child_process";
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { root, rows } from "./document.ts";
import { mutations } from "./mutations.ts";

interface Report {
  testResults: { assertionResults: { fullName: string; status: string }[] }[];
}

const words = process.argv.slice(2);
const wanted = mutations.filter(({ protection }) => words.every((word) => protection.includes(word)));
const print = (line: string) => process.stdout.write(`${line}\n`);
const fileByTitle = new Map(rows.flatMap(({ tests }) => tests.map(({ title, file }) => [title, file])));

const copy = mkdtempSync(join(tmpdir(), "promises-"));
let failures = 0;
try {
  copyProject();
  build();
  const named = [...new Set(wanted.flatMap(({ fails }) => fails))];
  for (const [title, outcome] of run(named)) {
    if (outcome !== "passed") fail(`“${title}” ${outcome} without any change`);
  }
  for (const { protection, changes, fails } of wanted) {
    const before = changes.map(({ file }) => [file, readFileSync(join(copy, file), "utf8")] as const);
    for (const { file, text, replacement } of changes) {
      const path = join(copy, file);
      writeFileSync(
        path,
        readFileSync(path, "utf8").replace(text, () => replacement),
      );
    }
    build();
    for (const [title, outcome] of run(fails)) {
      if (outcome === "failed") print(`fails, as it should: “${title}”, without: ${protection}`);
      else fail(`“${title}” ${outcome}, though not true any more: ${protection}`);
    }
    for (const [file, content] of before.reverse()) writeFileSync(join(copy, file), content);
  }
} finally {
  rmSync(copy, { recursive: true });
}
print(failures === 0 ? "Every promise is held by its tests." : `${failures} failed`);
process.exitCode = failures > 0 ? 1 : 0;

function fail(message: string): void {
  failures += 1;
  print(`FAILED: ${message}`);
}

/** Copies all files tracked by git. External packages are linked to those of this checkout. */
function copyProject(): void {
  const listed = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], { cwd: root });
  for (const file of listed.toString().split("\0").filter(Boolean)) {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    copyFileSync(join(root, file), join(copy, file));
  }
  const own = "@agent-backends";
  mkdirSync(join(copy, "node_modules", own), { recursive: true });
  for (const name of readdirSync(join(root, "node_modules"))) {
    if (name !== own && name !== ".cache")
      symlinkSync(join(root, "node_modules", name), join(copy, "node_modules", name));
  }
  for (const part of ["packages", "services"]) {
    for (const name of readdirSync(join(copy, part)))
      symlinkSync(join(copy, part, name), join(copy, "node_modules", own, name));
  }
}

/** Ignores the compiler's exit code: a change may leave something unused, which is reported but built anyway. */
function build(): void {
  spawnSync("node", [join(root, "node_modules/typescript/bin/tsc"), "-b"], { cwd: copy });
  spawnSync("node", ["scripts/build-console.ts"], { cwd: copy });
}

/** The results of the tests with these titles. A parametrised test has failed if any of its cases has. */
function run(titles: string[]): Map<string, string> {
  const report = join(copy, "report.json");
  rmSync(report, { force: true });
  const patterns = titles.map((title) => [title, toPattern(title)] as const);
  const files = new Set(titles.map((title) => getTestFile(fileByTitle.get(title) ?? "")));
  const name = patterns.map(([, pattern]) => pattern.source).join("|");
  const vitest = join(root, "node_modules/vitest/vitest.mjs");
  const args = [vitest, "run", ...files, "-t", name, "--reporter=json", `--outputFile=${report}`];
  spawnSync("node", args, { cwd: copy });
  const { testResults } = JSON.parse(readFileSync(report, "utf8")) as Report;
  const tests = testResults.flatMap(({ assertionResults }) => assertionResults);
  return new Map(
    patterns.map(([title, pattern]) => {
      const outcomes = tests.filter(({ fullName }) => pattern.test(fullName)).map(({ status }) => status);
      if (outcomes.includes("failed")) return [title, "failed"];
      return [title, outcomes.includes("passed") ? "passed" : "did not run"];
    }),
  );
}

/** Suites share what one file starts. */
function getTestFile(file: string): string {
  return file.replace(/([^/]+)\/tests\/suites\/.*/, "$1/tests/$1.");
}

function toPattern(title: string): RegExp {
  const text = title.replaceAll(/[.*+?^(){}|[\]\\]/g, "\\$&");
  return new RegExp(text.replaceAll(/%[sjdi]|\$\w+/g, ".*"), "s");
}
