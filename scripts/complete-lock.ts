// Adds missing integrity hashes to package-lock.json from the npm registry. npm leaves them out for packages of other systems
// that its registry has no copy of. Exits with 1 and names the packages that the registry doesn't know.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

interface LockEntry {
  version?: string;
  name?: string;
  link?: boolean;
  integrity?: string;
}

const requestTimeoutMs = 30_000;
const registry = process.env.npm_config_registry ?? "https://registry.npmjs.org/";
const lockFile = fileURLToPath(new URL("../package-lock.json", import.meta.url));
const lock = JSON.parse(readFileSync(lockFile, "utf8")) as { packages: Record<string, LockEntry> };

async function findIntegrity(name: string, version: string): Promise<string | undefined> {
  const url = new URL(`${name.replace("/", "%2f")}/${version}`, registry);
  const response = await fetch(url, { signal: AbortSignal.timeout(requestTimeoutMs) });
  if (response.status === 404) return undefined;
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  return ((await response.json()) as { dist?: { integrity?: string } }).dist?.integrity;
}

const unknown: string[] = [];
for (const [path, entry] of Object.entries(lock.packages)) {
  if (!path.includes("node_modules/") || entry.link || entry.integrity) continue;
  const name = entry.name ?? path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
  const integrity = await findIntegrity(name, entry.version ?? "");
  if (integrity) entry.integrity = integrity;
  else unknown.push(`${name}@${entry.version}`);
}
writeFileSync(lockFile, `${JSON.stringify(lock, null, 2)}\n`);
if (unknown.length > 0) {
  console.error(`${registry} doesn't know these packages, so they have no integrity hash:\n${unknown.join("\n")}`);
  console.error("Run this again with a registry that has them: npm_config_registry=https://… npm run lock");
  process.exitCode = 1;
}
