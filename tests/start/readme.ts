import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { root } from "./npm-process.ts";

/** A command of the README, with the output shown below it, if any. */
export interface ReadmeCommand {
  command: string;
  shown: string | undefined;
}

/** All commands of a Markdown file: the lines of its `sh` blocks, and what follows `$` in its `console` blocks. */
export function commandsOf(file: string): ReadmeCommand[] {
  const blocks = readFileSync(root + file, "utf8").matchAll(/^```(sh|console)\n(.*?)^```/gms);
  return [...blocks].flatMap(([, kind, text = ""]): ReadmeCommand[] => {
    if (kind === "sh")
      return text
        .trim()
        .split("\n")
        .map((command) => ({ command, shown: undefined }));
    const [first = "", ...shown] = text.trim().split("\n");
    return [{ command: first.replace(/^\$ /, ""), shown: shown.join("\n") }];
  });
}

/** Runs a command in a shell at the project's root and resolves with what it printed. Rejects when it fails. */
export function run(command: string): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile("bash", ["-c", command], { cwd: root, timeout: 60_000 }, (error, stdout, stderr) => {
      if (error) reject(new Error(`${command}\n${stdout}${stderr}`, { cause: error }));
      else resolve(stdout.trim());
    });
  });
}

/** Replaces values that differ between runs: UUIDs, hashes and times. */
export function withoutIds(output: string): string {
  return output
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "ID")
    .replace(/\b[0-9a-f]{32,64}\b/g, "HASH")
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "TIME");
}
