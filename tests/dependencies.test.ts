import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));

test("docs/dependencies.md names exactly the packages that are used", () => {
  const used = new Set<string>();
  for (const path of [
    "package.json",
    ...globSync("{packages,services}/*/package.json", { cwd: root }),
    "console/package.json",
    "docs/site/package.json",
  ]) {
    const { dependencies = {}, devDependencies = {} } = JSON.parse(readFileSync(root + path, "utf8"));
    for (const name of Object.keys({ ...dependencies, ...devDependencies })) {
      if (!name.startsWith("@agent-backends/")) used.add(name);
    }
  }
  const rows = readFileSync(`${root}docs/dependencies.md`, "utf8").matchAll(/^\| (.+?) \|/gm);
  const documented = [...rows].flatMap(([, cell = ""]) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name));
  expect(documented.sort()).toEqual([...used].sort());
});
