import { run } from "../run.ts";

/** Runs a command line in this process, with only these variables. */
export async function runAgents(args: readonly string[], environment: NodeJS.ProcessEnv) {
  let [output, notes] = ["", ""];
  const collect = (add: (text: string) => void) => ({ write: (data: string | Uint8Array) => add(String(data)) });
  const exitCode = await run(args, {
    environment,
    fetch,
    signal: new AbortController().signal,
    now: Date.now,
    stdout: collect((text) => {
      output += text;
    }),
    stderr: collect((text) => {
      notes += text;
    }),
  });
  return { output, notes, exitCode };
}
