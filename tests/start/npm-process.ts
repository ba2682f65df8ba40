import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { CommandProcess } from "@agent-backends/testing";

export const root = fileURLToPath(new URL("../..", import.meta.url));

/** An npm command that runs during a test, as a user would run it. */
export class NpmProcess extends CommandProcess {
  constructor(args: string[], environment: Record<string, string>) {
    super("npm", args, { cwd: root, environment });
  }
}

/** The direct or indirect child process whose command line contains these words. */
export function processBelow(ancestor: number | undefined, words: string): number {
  const lines = execFileSync("ps", ["-eo", "pid=,ppid=,args="], { encoding: "utf8" }).trim().split("\n");
  const processes = lines.map((line) => /^ *(\d+) +(\d+) (.*)$/.exec(line)?.slice(1) ?? []);
  const parents = new Map(processes.map(([pid, parent]) => [Number(pid), Number(parent)]));
  const isBelow = (pid: number): boolean => pid === ancestor || (parents.has(pid) && isBelow(parents.get(pid) ?? 0));
  const found = processes.find(([pid, , args = ""]) => args.includes(words) && isBelow(Number(pid)));
  if (!found) throw new Error(`No process below ${ancestor} runs ${words}`);
  return Number(found[0]);
}
