import type { ChildProcess, ChildProcessByStdio } from "node:child_process";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";

/** A line of a service's log. */
export interface LogLine {
  level: number;
  msg?: string;
  [field: string]: unknown;
}

/** A service as users run it: a process of its own. */
export interface ServiceProcess {
  readonly baseUrl: string;
  /** Where its metrics are, when `METRICS_PORT` was given. */
  readonly metricsUrl: string | undefined;
  readonly process: ChildProcess;
  /** What it has logged until now. */
  readonly log: readonly LogLine[];
  /** What it has printed that is no line of a log. */
  readonly printed: readonly string[];
  /** The exit code, or the signal that ended it. */
  readonly exited: Promise<number | NodeJS.Signals>;
  /** Sends a signal and resolves with how it ended. Rejects when a request has held the event loop for too long. */
  end(signal?: NodeJS.Signals): Promise<number | NodeJS.Signals>;
}

interface StartOptions {
  /** Is run by the shell that becomes the service, such as `ulimit -n 64`. */
  shell?: string;
  /** Stand before the main module. */
  nodeArguments?: string[];
}

/**
 * Starts a service on a free port, with nothing in its environment but these variables; resolves when it listens.
 *
 * @param main the path of its built main module
 * @param options.keepsLog false: only what is logged until it listens is kept
 * @throws Error with its output, when it ends before it listens
 */
export async function startService(
  main: string,
  variables: Record<string, string>,
  options: StartOptions & { keepsLog?: boolean } = {},
): Promise<ServiceProcess> {
  const child = spawnService(main, { LLM_API_KEY: "sk-test-secret", ...variables }, options);
  const exited = once(child, "exit").then(([code, signal]) => (code ?? signal) as number | NodeJS.Signals);
  const log: LogLine[] = [];
  const printed: string[] = [];
  const heldMs: number[] = [];
  createInterface({ input: child.stdio[3] as Readable }).on("line", (line) => {
    if (addressOf("address")) heldMs.push(Number(line));
  });
  // Said among the first lines; a log may become long.
  const addressOf = (field: "address" | "metrics") =>
    log.find((line): line is LogLine & Record<typeof field, string> => typeof line[field] === "string")?.[field];
  await new Promise<void>((resolve, reject) => {
    for (const output of [child.stdout, child.stderr]) {
      createInterface({ input: output }).on("line", (line) => {
        if (options.keepsLog === false && addressOf("address")) return;
        if (line.startsWith('{"level":')) log.push(JSON.parse(line) as LogLine);
        else printed.push(line);
        if (addressOf("address")) resolve();
      });
    }
    void exited.then((how) =>
      reject(new Error(`It ended (${how}) before it listened:\n${[...printed, ...log.map(String)].join("\n")}`)),
    );
  });
  return {
    baseUrl: addressOf("address") ?? "",
    metricsUrl: addressOf("metrics"),
    process: child,
    log,
    printed,
    exited,
    async end(signal = "SIGTERM") {
      child.kill(signal);
      const how = await exited;
      if (heldMs.length > 0) throw new Error(`${main} held its event loop for ${heldMs.join(", ")} ms of work`);
      return how;
    },
  };
}

/** Starts a service where it is meant to end by itself: its exit code, and the lines that it printed. */
export async function failedStart(
  main: string,
  variables: Record<string, string>,
): Promise<{ code: number | NodeJS.Signals; lines: string[] }> {
  const child = spawnService(main, variables);
  const ended = once(child, "exit");
  const [output, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [code, signal] = await ended;
  return { code: code ?? signal, lines: (output + errors).trim().split("\n") };
}

function spawnService(
  main: string,
  variables: Record<string, string>,
  { shell = ":", nodeArguments = [] }: StartOptions = {},
): ChildProcessByStdio<null, Readable, Readable> {
  const monitor = [
    "--import",
    new URL(`event-loop-monitor.${import.meta.url.split(".").at(-1)}`, import.meta.url).href,
  ];
  return spawn("bash", ["-c", `${shell}; exec "$0" "$@"`, process.execPath, ...monitor, ...nodeArguments, main], {
    // A folder without an .env file.
    cwd: tmpdir(),
    env: {
      PATH: process.env.PATH ?? "",
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? "",
      PORT: "0",
      ...variables,
    },
    stdio: ["ignore", "pipe", "pipe", "pipe"],
  }) as ChildProcessByStdio<null, Readable, Readable>;
}

/** The built main modules of the services, from the project's root. */
export const serviceMains = {
  "relay-express": "services/relay/dist/express/main.js",
  "relay-nest": "services/relay/dist/nest/main.js",
  knowledge: "services/knowledge/dist/main.js",
  listing: "services/listing/dist/main.js",
} as const;

export type ServiceName = keyof typeof serviceMains;
