import { execFileSync } from "node:child_process";
import { mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { buildDirectory } from "./paths.ts";

const sources = join(import.meta.dirname, "load");

/** Compiles the load generator and the provider where their sources are newer. Needs a C compiler as `cc`. */
export function compile(): { load: string; provider: string } {
  mkdirSync(buildDirectory, { recursive: true });
  const newest = Math.max(...readdirSync(sources).map((file) => statSync(join(sources, file)).mtimeMs));
  const [load, provider] = ["load", "provider"].map((name) => {
    const program = join(buildDirectory, name);
    const built = statSync(program, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    if (built < newest) execFileSync("cc", ["-O2", "-o", program, join(sources, `${name}.c`)], { stdio: "inherit" });
    return program;
  }) as [string, string];
  return { load, provider };
}
