import type { ChildProcess } from "node:child_process";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

const mainModule = join(import.meta.dirname, "../dist/main.js");

/** The service as users run it: a process of its own. */
export interface ListingProcess {
  readonly baseUrl: string;
  /** What it has logged until now. */
  readonly log: readonly string[];
  /** Posts JSON, or text as it is, or nothing. */
  post(
    path: string,
    body?: unknown,
    options?: { signal?: AbortSignal; headers?: Record<string, string> },
  ): Promise<Response>;
  kill(signal: NodeJS.Signals): void;
  readonly exited: Promise<number | NodeJS.Signals>;
  /** Sends SIGTERM and resolves with the exit code, or the signal that ended it. */
  end(): Promise<number | NodeJS.Signals>;
}

/** Starts the service on a free port; resolves when it listens, rejects with its output when it ends before. */
export async function startListing(variables: Record<string, string>): Promise<ListingProcess> {
  const child = spawnListing({ LLM_API_KEY: "sk-test-secret", ...variables, PORT: "0" });
  const exited = once(child, "exit").then(([code, signal]) => (code ?? signal) as number | NodeJS.Signals);
  const log: string[] = [];
  const baseUrl = await new Promise<string>((resolve, reject) => {
    for (const output of [child.stdout, child.stderr]) {
      if (!output) continue;
      createInterface({ input: output }).on("line", (line) => {
        log.push(line);
        const address = /"address":"([^"]+)"/.exec(line)?.[1];
        if (address) resolve(address);
      });
    }
    void exited.then(() => reject(new Error(`The service ended before it listened:\n${log.join("\n")}`)));
  });
  return {
    baseUrl,
    log,
    exited,
    post: (path, body, { signal, headers } = {}) =>
      fetch(`${baseUrl}${path}`, {
        method: "POST",
        ...(body !== undefined && {
          body: typeof body === "string" ? body : JSON.stringify(body),
          headers: { "content-type": "application/json", ...headers },
        }),
        ...(signal && { signal }),
      }),
    kill: (signal) => child.kill(signal),
    end() {
      child.kill("SIGTERM");
      return exited;
    },
  };
}

/** Starts the service where it is meant to end at once, and resolves with its exit code and what it printed. */
export async function runListing(variables: Record<string, string>): Promise<{ code: number; lines: string[] }> {
  const child = spawnListing({ ...variables, PORT: "0" });
  const output: string[] = [];
  child.stdout?.setEncoding("utf8").on("data", (text: string) => output.push(text));
  child.stderr?.setEncoding("utf8").on("data", (text: string) => output.push(text));
  const [code] = await once(child, "close");
  return { code, lines: output.join("").trim().split("\n") };
}

function spawnListing(variables: Record<string, string>): ChildProcess {
  // Nothing of the tests' own environment, and a directory without a .env file.
  return spawn(process.execPath, [mainModule], {
    cwd: tmpdir(),
    env: { PATH: process.env.PATH ?? "", NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...variables },
    stdio: ["ignore", "pipe", "pipe"],
  });
}
