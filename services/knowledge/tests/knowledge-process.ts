import type { ChildProcess } from "node:child_process";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

const mainModule = join(import.meta.dirname, "../dist/main.js");

/** The service as users run it: a process of its own. */
export interface KnowledgeProcess {
  readonly baseUrl: string;
  readonly process: ChildProcess;
  /** What it has logged until now. */
  readonly log: readonly string[];
  /** Sends a signal and resolves with the exit code, or the signal that ended it. */
  end(signal?: NodeJS.Signals): Promise<number | NodeJS.Signals>;
}

/** Starts the service on a free port; resolves when it listens, rejects with its output when it ends before. */
export async function startKnowledge(variables: Record<string, string>): Promise<KnowledgeProcess> {
  const child = spawnKnowledge({ LLM_API_KEY: "sk-test-secret", LOG_LEVEL: "info", ...variables, PORT: "0" });
  const exited = once(child, "exit").then(([code, signal]) => (code ?? signal) as number | NodeJS.Signals);
  const log: string[] = [];
  const baseUrl = await new Promise<string>((resolve, reject) => {
    for (const output of [child.stdout, child.stderr]) {
      createInterface({ input: output }).on("line", (line) => {
        log.push(line);
        const address = /"address":"([^"]+)"/.exec(line)?.[1];
        if (address) resolve(address);
      });
    }
    void exited.then(() => reject(new Error(`The service ended before it listened:\n${log.join("\n")}`)));
  });
  const end = async (signal: NodeJS.Signals = "SIGTERM") => {
    child.kill(signal);
    return exited;
  };
  return { baseUrl, process: child, log, end };
}

/** Starts the service with nothing in its environment but these variables, in a folder without an `.env`. */
export function spawnKnowledge(variables: Record<string, string>) {
  return spawn(process.execPath, [mainModule], {
    cwd: tmpdir(),
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      ...variables,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
}

/** Posts JSON and gives the status with the parsed answer. */
export async function postJson(url: string, body: unknown, headers: Record<string, string> = {}) {
  const response = await fetch(url, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers whose shape they assert.
  return { status: response.status, headers: response.headers, body: (await response.json()) as any };
}
