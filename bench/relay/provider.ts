import { once } from "node:events";
import { join } from "node:path";
import { compile } from "./compile.ts";
import { buildDirectory } from "./paths.ts";
import { cores, end, launch } from "./processes.ts";

export interface Provider {
  port: number;
  /** Where it notes when a connection ended in the middle of a run; see load/common.h. */
  endsFile: string;
  close(): Promise<void>;
}

/** Starts the provider that every subject relays from. */
export async function startProvider(): Promise<Provider> {
  const endsFile = join(buildDirectory, "ends");
  const { provider } = compile();
  const child = launch({ command: provider, args: [`ends=${endsFile}`] }, cores.load, buildDirectory);
  if (!child.stdout) throw new Error("The provider has no output");
  const [line] = (await once(child.stdout, "data")) as [Buffer];
  return { port: Number(line.toString()), endsFile, close: () => end(child) };
}
