import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";

/** Installs the packages of a folder that has its own lock file, unless they are installed. */
export function installOwnPackages(folder: string): void {
  // npm writes this file last.
  if (existsSync(`${folder}/node_modules/.package-lock.json`)) return;
  execFileSync("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], { cwd: folder, stdio: "inherit" });
}
