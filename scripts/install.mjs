// Installs the packages of the lock file that are missing in node_modules; with --omit=dev without those needed only for development. Runs
// on any Node.js version that npm supports, and before anything is installed, so it uses only Node.js's own modules and no TypeScript.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const readJson = (path) => JSON.parse(readFileSync(`${root}${path}`, "utf8"));

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

/** npm's own record of the installed packages. */
const installed = existsSync(`${root}node_modules/.package-lock.json`)
  ? readJson("node_modules/.package-lock.json").packages
  : {};

// Compares the lock file with that record. Most optional packages are for other systems, and links belong to the workspace itself.
function isComplete(withDevelopment) {
  if (!existsSync(`${root}node_modules/.bin/node`)) return false;
  return Object.entries(readJson("package-lock.json").packages).every(
    ([path, { version, link, optional, dev, devOptional, os, cpu, libc }]) => {
      if (!path.includes("node_modules/")) return true;
      if (link) return path in installed;
      if (installed[path]) return installed[path].version === version;
      const isForHere = !libc && os?.includes(process.platform) && cpu?.includes(process.arch);
      return (optional && !isForHere) || ((dev || devOptional) && !withDevelopment);
    },
  );
}

function runNpm(...args) {
  const npm = process.env.npm_execpath;
  // This script may run on the installed Node.js, which `npm ci` deletes. PATH then finds the system's.
  const [command, ...first] = npm ? ["node", npm] : ["npm"];
  const { status } = spawnSync(command, [...first, ...args, "--loglevel=error"], { cwd: root, stdio: "inherit" });
  if (status !== 0) {
    fail("The packages could not be installed. Check the network and the message above, then run the command again.");
  }
}

const { engines } = readJson("package.json");
const minNodeMajor = Number(/\d+/.exec(engines.node)?.[0]);
if (Number.parseInt(process.versions.node, 10) < minNodeMajor) {
  fail(`Node ${process.versions.node} is too old: install Node ${minNodeMajor} or newer, then run the command again.`);
}

// Keep a developer's installed packages when the lock file changes.
const isWanted = !process.argv.includes("--omit=dev");
const withDevelopment = isWanted || Object.values(installed).some(({ dev }) => dev);
if (!isComplete(isWanted)) {
  const lacksOnlyDevelopment = isComplete(false);
  const what = lacksOnlyDevelopment ? "the packages for development" : "packages";
  process.stdout.write(`Installing ${what}, once (about a minute) …\n`);
  // `npm ci` first deletes node_modules, while services may be running on it: so if only development packages are missing, just add them.
  const command = lacksOnlyDevelopment ? ["install", "--no-save"] : ["ci"];
  // No package needs its install scripts. NODE_ENV=production would leave out the development packages.
  runNpm(...command, withDevelopment ? "--include=dev" : "--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund");
  if (!existsSync(`${root}node_modules/.bin/node`)) {
    fail(
      `There is no Node for ${process.platform} on ${process.arch} among the packages, or it could not be fetched. Run the command again.`,
    );
  }
  const unchecked = Object.entries(readJson("package-lock.json").packages)
    .filter(([path, { link, integrity }]) => path.includes("node_modules/") && !link && !integrity)
    .filter(([path]) => existsSync(`${root}${path}`));
  if (unchecked.length > 0) {
    const names = unchecked.map(([path]) => path.replace(/^.*node_modules\//, "")).join(", ");
    process.stderr.write(`Not checked, as package-lock.json has no integrity hash for this system's: ${names}\n`);
  }
}
