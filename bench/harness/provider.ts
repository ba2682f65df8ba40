import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { buildDirectory } from "./paths.ts";
import { cores, end, launch } from "./processes.ts";

export interface Provider {
  port: number;
  /** The file in which the provider records connections that ended in the middle of a run; see load/common.h. */
  endsFile: string;
  close(): Promise<void>;
}

/** Starts the provider from which every subject relays. */
export async function startProvider(): Promise<Provider> {
  const endsFile = join(buildDirectory, "ends");
  const { provider } = compile();
  const child = launch({ command: provider, args: [`ends=${endsFile}`] }, cores.load, buildDirectory);
  if (!child.stdout) throw new Error("The provider has no output");
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  return { port: Number(line.toString()), endsFile, close: () => end(child) };
}

const sources = join(import.meta.dirname, "load");

/** Compiles the load generator and the provider if their sources have changed. Needs a C compiler as `cc`. */
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
