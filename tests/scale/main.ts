// Runs the knowledge service's own tests with one process on a folder, with two workers, and with three replicas behind nginx, on an
// object store and on PostgreSQL. With arguments, only those set-ups: npm run test:scale -- object-store
import { spawnSync } from "node:child_process";
import { root } from "../observability/services.ts";
import { setUps } from "./set-ups.ts";

const wanted = process.argv.slice(2);
const unknown = wanted.find((name) => !(setUps as readonly string[]).includes(name));
if (unknown !== undefined) throw new Error(`"${unknown}" is none of the set-ups ${setUps.join(", ")}`);
const failed: string[] = [];
for (const name of setUps) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  process.stdout.write(`\n# ${name}\n`);
  const { status } = spawnSync("vitest", ["run", "--config", "tests/scale/vitest.config.ts"], {
    cwd: root,
    env: { ...process.env, TEST_SETUP: name },
    stdio: "inherit",
  });
  if (status !== 0) failed.push(name);
}
process.stdout.write(failed.length === 0 ? "\nEvery set-up passes.\n" : `\nFAILED: ${failed.join(", ")}\n`);
process.exitCode = failed.length === 0 ? 0 : 1;
