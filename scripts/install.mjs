// Installs what the lock file names and node_modules lacks. Runs on any Node that npm runs on, before anything is
// installed: only Node's own modules, no TypeScript.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

// npm itself records what it has installed; a package of the lock file that is not in it in the same version is missing.
// Optional packages are made for other systems, and links are the workspace's own.
function isComplete() {
  const installed = `${root}node_modules/.package-lock.json`;
  if (!existsSync(installed) || !existsSync(`${root}node_modules/.bin/node`)) return false;
  const have = JSON.parse(readFileSync(installed, "utf8")).packages;
  const want = JSON.parse(readFileSync(`${root}package-lock.json`, "utf8")).packages;
  return Object.entries(want).every(
    ([path, { version, link, optional }]) =>
      !path.includes("node_modules/") || (link ? path in have : optional || have[path]?.version === version),
  );
}

if (!isComplete()) {
  process.stdout.write("Installing packages, once (about a minute) …\n");
  const npm = process.env.npm_execpath;
  const [command, ...args] = npm ? [process.execPath, npm] : ["npm"];
  const options = ["ci", "--no-audit", "--no-fund", "--loglevel=error"];
  const { status } = spawnSync(command, [...args, ...options], { cwd: root, stdio: "inherit" });
  if (status !== 0) {
    process.stderr.write(
      "The packages could not be installed. Check the network and the message above, then run the command again.\n",
    );
    process.exit(1);
  }
}
