import { execFile } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Every page for users and contributors, relative to the project's root. */
export const pages = globSync(["*.md", ".github/**/*.md", "docs/**/*.md", "examples/**/*.md"], {
  cwd: root,
  exclude: (path) => path.includes("node_modules"),
}).sort();

export const readPage = (page: string): string => readFileSync(root + page, "utf8");

export function codeBlocks(page: string, ...languages: string[]): { language: string; text: string }[] {
  const blocks = readPage(page).matchAll(/^ *```(\w+)\n(.*?)^ *```/gms);
  return [...blocks]
    .map(([, language = "", text = ""]) => ({ language, text }))
    .filter(({ language }) => languages.includes(language));
}

/** A command of a page, with the output shown below it, if any. */
export interface PageCommand {
  command: string;
  shown: string | undefined;
}

/** All commands of a page: the lines of its `sh` blocks, and the lines after `$` in its `console` blocks. */
export function parseCommands(page: string): PageCommand[] {
  return codeBlocks(page, "sh", "console").flatMap(({ language, text }): PageCommand[] => {
    const [first = "", ...rest] = text
      .trim()
      .replaceAll(/ *\\\n */g, " ")
      .split("\n");
    if (language === "sh") return [first, ...rest].map((command) => ({ command: command.trim(), shown: undefined }));
    return [{ command: first.replace(/^\$ /, ""), shown: rest.join("\n") }];
  });
}

/** Runs a command in a shell at the project's root. Resolves with its output. Rejects if it fails. */
export function run(command: string, environment: Record<string, string> = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { cwd: root, env: { ...process.env, ...environment }, timeout: 120_000 };
    execFile("bash", ["-euc", command], options, (error, stdout, stderr) => {
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
