import type { ChildProcess } from "node:child_process";
import { spawn } from "node:child_process";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";

export const root = new URL("../..", import.meta.url).pathname;

/** The developer's own settings must not reach a test: a blank variable is set, so that `.env` does not set it. */
const blank = Object.fromEntries(
  [
    ...[
      "LLM_API_KEY",
      "LLM_BASE_URL",
      "RELAY_MODEL",
      "RELAY_PROFILE",
      "KNOWLEDGE_LLM_MODEL",
      "KNOWLEDGE_EMBEDDING_MODEL",
    ],
    ...["LISTING_API_TOKEN", "LISTING_API_URL", "LISTING_SEARCH_APP_ID", "LISTING_SEARCH_URL", "LISTING_TIMEZONE"],
    ...["LISTING_AGENT_MODEL", "LISTING_AGENT_MAX_ITEMS", "LISTING_SOURCE_NAME", "LOG_LEVEL", "HOST", "PORT"],
  ].map((variable) => [variable, ""]),
);

/** An npm command that runs beside a test, as a user would run it. */
export class NpmProcess {
  readonly exited: Promise<number | null>;
  readonly #child: ChildProcess;
  #output = "";

  constructor(args: string[], environment: Record<string, string>) {
    this.#child = spawn("npm", args, { cwd: root, env: { ...process.env, ...blank, ...environment } });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.on("data", (bytes) => {
        this.#output += bytes;
      });
    }
    this.exited = new Promise((resolve) => this.#child.once("exit", resolve));
  }

  get output(): string {
    return this.#output;
  }

  /** Resolves when the command has printed this; rejects when it ends first. */
  async printed(pattern: RegExp): Promise<void> {
    let ended = false;
    void this.exited.then(() => {
      ended = true;
    });
    while (!pattern.test(this.#output)) {
      if (ended) throw new Error(`It ended before it printed ${pattern}:\n${this.#output}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }

  /** Sends a signal to npm and resolves with its exit code. */
  stop(signal: NodeJS.Signals): Promise<number | null> {
    this.#child.kill(signal);
    return this.exited;
  }
}

/** Ports that nothing uses now. */
export async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, () => {
      const server = createServer();
      return new Promise<typeof server>((resolve) => server.listen(0, "127.0.0.1", () => resolve(server)));
    }),
  );
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}
