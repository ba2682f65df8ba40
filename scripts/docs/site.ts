// Builds the documentation's site from docs/ into dist/docs. Its generator is a package of its own, docs/site, which is installed
// here when it is first needed, so that a fresh clone needn't wait for it.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const cwd = fileURLToPath(new URL("../../docs/site", import.meta.url));
const built = fileURLToPath(new URL("../../dist/docs", import.meta.url));

// npm writes this file last.
if (!existsSync(`${cwd}/node_modules/.package-lock.json`)) {
  execFileSync("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], { cwd, stdio: "inherit" });
}
execFileSync("node_modules/.bin/vitepress", ["build", "."], { cwd, stdio: "inherit" });
console.log(`Built in ${built}. To read it: npm run docs:preview`);
