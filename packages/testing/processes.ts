import type { ChildProcess } from "node:child_process";
import { spawn } from "node:child_process";
import { createServer } from "node:net";

/** Variables that developers may have set for themselves. */
const settings = [
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
  ...[
    "AUTH_KEYS_FILE",
    "AUTH_JWKS_URL",
    "RATE_LIMIT_PER_ADDRESS",
    "RATE_LIMIT_URL",
    "METRICS_PORT",
    "CORS_ORIGINS",
    "RUNS_URL",
  ],
];

/** Maximum time until a command prints the expected text on a busy machine. */
const printTimeoutMs = 120_000;

/** A command that runs during a test. The developer's own settings don't affect it, because blank variables take precedence over `.env`. */
export class CommandProcess {
  readonly exited: Promise<number | null>;
  readonly #child: ChildProcess;
  #output = "";

  constructor(command: string, args: string[], options: { cwd: string; environment?: Record<string, string> }) {
    const blank = Object.fromEntries(settings.map((variable) => [variable, ""]));
    const env = { ...process.env, ...blank, ...options.environment };
    this.#child = spawn(command, args, { cwd: options.cwd, env });
    for (const stream of [this.#child.stdout, this.#child.stderr]) {
      stream?.on("data", (bytes) => {
        this.#output += bytes;
      });
    }
    this.exited = new Promise((resolve) => this.#child.once("exit", resolve));
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** All output so far. */
  get output(): string {
    return this.#output;
  }

  /** Resolves when the output matches. Rejects if the command ends first or takes too long. */
  printed(pattern: RegExp): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const fail = (what: string) => reject(new Error(`It ${what} it printed ${pattern}:\n${this.#output}`));
    const look = () => pattern.test(this.#output) && resolve();
    const timer = setTimeout(() => fail(`took more than ${printTimeoutMs} ms before`), printTimeoutMs);
    this.#child.stdout?.on("data", look);
    this.#child.stderr?.on("data", look);
    // The last output may arrive after the exit.
    this.#child.once("close", () => look() || fail("ended before"));
    look();
    return promise.finally(() => {
      clearTimeout(timer);
      this.#child.stdout?.off("data", look);
      this.#child.stderr?.off("data", look);
    });
  }

  /** Sends a signal. Resolves with the exit code. */
  stop(signal: NodeJS.Signals = "SIGTERM"): Promise<number | null> {
    this.#child.kill(signal);
    return this.exited;
  }
}

/** Below the range of ephemeral ports, so that no other process takes a port between the check and its use. */
const portRange = { from: 20_000, to: 30_000 };
/** Parallel test workers use disjoint ports. */
const workers = 8;
const worker = Number(process.env.VITEST_POOL_ID ?? 0) % workers;

/** Finds free ports on the loopback interface. */
export async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) {
    const place = Math.floor((Math.random() * (portRange.to - portRange.from)) / workers);
    const port = portRange.from + place * workers + worker;
    if (await isFree(port)) ports.add(port);
  }
  return [...ports];
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
}
