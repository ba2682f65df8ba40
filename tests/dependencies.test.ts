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
    "scripts/package.json",
    "docs/site/package.json",
  ]) {
    const manifest = JSON.parse(readFileSync(root + path, "utf8"));
    const { dependencies, devDependencies, optionalDependencies } = manifest;
    for (const name of Object.keys({ ...dependencies, ...devDependencies, ...optionalDependencies })) {
      if (!name.startsWith("@agent-backends/")) used.add(name);
    }
  }
  const rows = readFileSync(`${root}docs/dependencies.md`, "utf8").matchAll(/^\| (.+?) \|/gm);
  const documented = [...rows].flatMap(([, cell = ""]) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name));
  expect(documented.sort()).toEqual([...used].sort());
});

// `npm ci` refuses a lock file without them, on every system.
test.each(globSync("**/package-lock.json", { cwd: root, exclude: ["**/node_modules"] }))(
  "%s has an entry for each system's package",
  (path) => {
    const { packages } = JSON.parse(readFileSync(root + path, "utf8")) as {
      packages: Record<string, { optionalDependencies?: Record<string, string> }>;
    };
    const known = new Set(Object.keys(packages).map((place) => place.slice(place.lastIndexOf("node_modules/") + 13)));
    const wanted = Object.values(packages).flatMap(({ optionalDependencies = {} }) =>
      Object.keys(optionalDependencies),
    );
    expect(wanted.filter((name) => !known.has(name))).toEqual([]);
  },
);
