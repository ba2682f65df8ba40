import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Installs assistant-ui from its own lock file where that has not happened yet. */
export default function install(): void {
  const cwd = fileURLToPath(new URL(".", import.meta.url));
  // npm writes this file last.
  if (existsSync(`${cwd}node_modules/.package-lock.json`)) return;
  execFileSync("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], { cwd, stdio: "inherit" });
}
