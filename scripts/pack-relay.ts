// Packs the relay for use in other applications: npm run pack:relay. The tarball contains the project's own packages that the relay uses,
// and depends only on the third-party packages that these load.
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";

interface Manifest {
  name: string;
  version: string;
  license: string;
  exports: Record<string, { types: string; default: string }>;
  dependencies?: Record<string, string>;
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional: boolean }>;
}

const root = join(import.meta.dirname, "..");
const readManifest = (folder: string) =>
  JSON.parse(readFileSync(join(root, folder, "package.json"), "utf8")) as Manifest;
const relay = readManifest("services/relay");
const own = new Map(
  ["contract", "kit", "language", "llm"].map((name) => [
    `@agent-backends/${name}`,
    { folder: `packages/${name}`, manifest: readManifest(`packages/${name}`) },
  ]),
);
/** The oldest supported Node.js version: the project's own, which the tests use. */
const [nodeMajor] = process.versions.node.split(".");

/** Third-party packages that built modules load, directly or through modules of this project. */
function findPackages(entries: string[]): Set<string> {
  const visited = new Set<string>();
  const found = new Set<string>();
  const visit = (file: string): void => {
    if (visited.has(file)) return;
    visited.add(file);
    const imports = /^(?:import|export)\b[^"]*?from "([^"]+)"|^import "([^"]+)"|\bimport\("([^"]+)"\)/gm;
    for (const [, from, alone, dynamic] of readFileSync(file, "utf8").matchAll(imports)) {
      const specifier = from ?? alone ?? dynamic ?? "";
      const [scope = "", name = ""] = specifier.split("/");
      const packageName = scope.startsWith("@") ? `${scope}/${name}` : scope;
      const part = own.get(packageName);
      if (specifier.startsWith(".")) visit(resolve(dirname(file), specifier));
      else if (part) {
        const { default: main = "" } = part.manifest.exports[specifier.replace(packageName, ".")] ?? {};
        visit(join(root, part.folder, main));
      } else if (!specifier.startsWith("node:")) found.add(packageName);
    }
  };
  for (const entry of entries) visit(entry);
  return found;
}

const versions = Object.assign(
  {},
  ...[...own.values()].map(({ manifest }) => manifest.dependencies),
  relay.dependencies,
);
const loaded = findPackages(Object.values(relay.exports).map((entry) => join(root, "services/relay", entry.default)));
const dependencies = [...loaded].filter((name) => !(name in (relay.peerDependencies ?? {}))).sort();
const folder = mkdtempSync(join(tmpdir(), "pack-relay-"));
try {
  const isShipped = (path: string) => !/\.test\.|\.tsbuildinfo$|\.map$/.test(path);
  cpSync(join(root, "services/relay/dist"), join(folder, "dist"), { recursive: true, filter: isShipped });
  for (const [name, { folder: from, manifest }] of own) {
    const to = join(folder, "node_modules", name);
    cpSync(join(root, from, "dist"), join(to, "dist"), { recursive: true, filter: isShipped });
    const { version, license, exports } = manifest;
    writeFileSync(join(to, "package.json"), JSON.stringify({ name, version, license, type: "module", exports }));
  }
  const { name, version, license, exports, peerDependencies, peerDependenciesMeta } = relay;
  const packed = {
    ...{ name, version, license, type: "module", exports, engines: { node: `>=${nodeMajor}` } },
    dependencies: Object.fromEntries([
      ...dependencies.map((dependency) => [dependency, versions[dependency]]),
      ...[...own].map(([dependency, { manifest }]) => [dependency, manifest.version]),
    ]),
    bundleDependencies: [...own.keys()],
    ...{ peerDependencies, peerDependenciesMeta },
  };
  writeFileSync(join(folder, "package.json"), JSON.stringify(packed, null, 2));
  cpSync(join(root, "docs/relay.md"), join(folder, "README.md"));
  cpSync(join(root, "LICENSE"), join(folder, "LICENSE"));
  const destination = resolve(process.argv[2] ?? ".");
  const args = ["pack", "--pack-destination", destination, "--ignore-scripts", "--loglevel=error"];
  process.stdout.write(execFileSync("npm", args, { cwd: folder, encoding: "utf8" }));
} finally {
  rmSync(folder, { recursive: true });
}
