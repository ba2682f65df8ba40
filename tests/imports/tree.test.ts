import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** The folders drawn in docs/architecture.md: two spaces of indentation for each level, a slash after each name. */
function drawnFolders(): string[] {
  const [, tree = ""] = /```\n(packages\/\n.*?)```/s.exec(readFileSync(`${root}docs/architecture.md`, "utf8")) ?? [];
  const path: string[] = [];
  return [...tree.matchAll(/^( *)([\w.-]+)\//gm)].map(([, indent = "", name = ""]) => {
    path.splice(indent.length / 2, path.length, name);
    return path.join("/");
  });
}

/** The folders of the repository's files: three levels of packages and services, two of everything else. */
function realFolders(): string[] {
  const files = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard"], {
    cwd: root,
    encoding: "utf8",
  });
  const folders = files.split("\n").flatMap((file) => {
    const parts = file.split("/").slice(0, -1);
    const depth = /^(packages|services)$/.test(parts[0] ?? "") ? 3 : 2;
    return parts.slice(0, depth).map((_, index) => parts.slice(0, index + 1).join("/"));
  });
  return [...new Set(folders)].filter((folder) => folder !== "" && !folder.startsWith("."));
}

test("docs/architecture.md draws the folders that there are, and no others", () => {
  const [drawn, real] = [drawnFolders(), realFolders()];
  expect({
    withoutLine: real.filter((folder) => !drawn.includes(folder)),
    withoutFolder: drawn.filter((folder) => !real.includes(folder)),
  }).toEqual({ withoutLine: [], withoutFolder: [] });
  expect(drawn).toHaveLength(real.length);
});

test("no folder holds more than 20 files", () => {
  const files = execFileSync("git", ["ls-files"], { cwd: root, encoding: "utf8" }).split("\n");
  const folders = Map.groupBy(files, dirname);
  expect([...folders].filter(([, held]) => held.length > 20).map(([folder]) => folder)).toEqual([]);
});
