import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { benchDirectory } from "../relay/paths.ts";

export const peersDirectory = join(benchDirectory, "peers", "knowledge");

/** Installs what the service is measured against, from its own lock file, where that has not happened yet. */
export function installPeers(): void {
  if (existsSync(join(peersDirectory, "node_modules"))) return;
  const args = ["ci", "--ignore-scripts", "--legacy-peer-deps", "--no-audit", "--no-fund"];
  execFileSync("npm", args, { cwd: peersDirectory, stdio: "inherit" });
}
