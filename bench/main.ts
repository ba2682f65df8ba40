/**
 * Runs all benchmarks, one part after the other, each while the machine is otherwise idle, and records each part's tables.
 *
 *   npm run bench -- [--parts relay/burst,knowledge] [--continue] [--max-minutes 55]
 *
 * No part begins after --max-minutes. --continue skips the parts that are done at this commit.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { cpus } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { parseArgs } from "node:util";
import { buildDirectory, rootDirectory } from "./harness/paths.ts";
import { scenarios as ofKnowledge } from "./knowledge/scenarios/index.ts";
import { scenarios as ofRelay } from "./relay/scenarios/index.ts";

/** Maximum load of all other programs together, in cores. */
const quietLoad = 0.3;
const pollIntervalMs = 5_000;
const maxWaitMs = 600_000;
const doneFile = join(buildDirectory, "done-parts");

interface Part {
  name: string;
  /** Node.js arguments. */
  args: string[];
}

const toParts = (name: string, scenarios: object): Part[] =>
  Object.keys(scenarios).map((scenario) => ({
    name: `${name}/${scenario}`,
    args: [`bench/${name}/main.ts`, "--scenarios", scenario],
  }));

const parts: Part[] = [
  { name: "listing", args: ["bench/listing/main.ts"] },
  { name: "capacity", args: ["bench/capacity.ts"] },
  ...toParts("relay", ofRelay),
  ...toParts("knowledge", ofKnowledge),
];

const { values } = parseArgs({
  options: {
    parts: { type: "string", default: "" },
    continue: { type: "boolean", default: false },
    "max-minutes": { type: "string", default: "Infinity" },
  },
});
const endsAt = performance.now() + Number(values["max-minutes"]) * 60_000;
const wanted = values.parts.split(",").filter((name) => name !== "");
const unknown = wanted.find((name) => !parts.some((part) => isPartOf(part, name)));
if (unknown !== undefined)
  throw new Error(`--parts: "${unknown}" is none of ${parts.map(({ name }) => name).join(", ")}`);
if (Number.isNaN(endsAt)) throw new Error(`--max-minutes must be a number, not "${values["max-minutes"]}"`);

const commit = execFileSync("git", ["rev-parse", "HEAD"], { cwd: rootDirectory, encoding: "utf8" }).trim();
mkdirSync(buildDirectory, { recursive: true });
if (!values.continue) rmSync(doneFile, { force: true });
const done = existsSync(doneFile) ? readFileSync(doneFile, "utf8").split("\n") : [];
let failures = 0;
for (const part of parts) {
  const line = `${commit} ${part.name}`;
  if (done.includes(line) || (wanted.length > 0 && !wanted.some((name) => isPartOf(part, name)))) continue;
  if (performance.now() > endsAt) {
    say("The time is over. Go on with --continue.");
    break;
  }
  say(`${part.name}: ${await waitForQuiet()}`);
  const { status } = spawnSync(process.execPath, part.args, { cwd: rootDirectory, stdio: "inherit" });
  if (status === 0) appendFileSync(doneFile, `${line}\n`);
  else failures += 1;
  if (status !== 0) say(`${part.name} failed with exit code ${status}`);
}
process.exitCode = failures > 0 ? 1 : 0;

function isPartOf({ name }: Part, wantedName: string): boolean {
  return name === wantedName || name.startsWith(`${wantedName}/`);
}

/** @throws Error if the machine stays busy */
async function waitForQuiet(): Promise<string> {
  const begun = performance.now();
  for (;;) {
    const busyBefore = busyMs();
    await setTimeout(pollIntervalMs);
    const load = (busyMs() - busyBefore) / pollIntervalMs;
    if (load < quietLoad) return `other programs use ${load.toFixed(2)} cores`;
    if (performance.now() - begun > maxWaitMs)
      throw new Error(`Other programs use ${load.toFixed(2)} cores for too long; end them and go on with --continue.`);
  }
}

/** Total time that all cores were busy since the machine was started. */
function busyMs(): number {
  return cpus().reduce((sum, { times: { user, nice, sys, irq } }) => sum + user + nice + sys + irq, 0);
}

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}
