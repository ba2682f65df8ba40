// Builds the documentation's site from docs/ into dist/docs. The generator is a separate package, docs/site, which is installed here on
// first use, so that a fresh clone doesn't have to wait for it.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

const cwd = fileURLToPath(new URL("../../docs/site", import.meta.url));
const built = fileURLToPath(new URL("../../dist/docs", import.meta.url));

// npm writes this file last, so it shows that the installation is complete.
if (!existsSync(`${cwd}/node_modules/.package-lock.json`)) {
  execFileSync("npm", ["ci", "--ignore-scripts", "--no-audit", "--no-fund"], { cwd, stdio: "inherit" });
}
execFileSync("node_modules/.bin/vitepress", ["build", "."], { cwd, stdio: "inherit" });
console.log(`Built in ${built}. To read it: npm run docs:preview`);
