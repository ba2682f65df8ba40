import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";

/** Installs the packages of a folder with a lock file of its own where that has not happened yet. */
export function installOwnPackages(folder: string): void {
  // npm writes this file last.
  if (existsSync(`${folder}/node_modules/.package-lock.json`)) return;
  execFileSync("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], { cwd: folder, stdio: "inherit" });
}
