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

/** The first requests of a process compile the code they run, which takes longer on a busy machine. */
const coldStartMs = 5_000;
const maxColdTurnMs = 100;
/** By default only far too long turns fail a test, so that its result doesn't depend on the machine's speed. */
const defaultTurnTolerance = 3;

/** A service in its own process, as users run it. */
export interface ServiceProcess {
  readonly baseUrl: string;
  /** URL of the service's metrics, if `METRICS_PORT` is set. */
  readonly metricsUrl: string | undefined;
  readonly process: ChildProcess;
  /** All log lines so far. */
  readonly log: readonly LogLine[];
  /** Other printed lines. */
  readonly printed: readonly string[];
  /** The exit code, or the signal that ended the process. */
  readonly exited: Promise<number | NodeJS.Signals>;
  /**
   * Describes each turn that blocked the event loop for too long. Turns before the service listened and garbage collections don't count.
   */
  getLongTurns(): string[];
  /** Sends a signal. Resolves with the exit code or signal. Rejects if a request blocked the event loop for too long. */
  end(signal?: NodeJS.Signals): Promise<number | NodeJS.Signals>;
}

/** A line printed by the event-loop monitor. */
interface Monitored {
  what: string;
  ms: number;
  beganAt: number;
  endedAt: number;
  maxMs: number;
  slowness: number;
}

interface StartOptions {
  /** Shell command that runs before the service, such as `ulimit -n 64`. */
  shell?: string;
  /** Arguments placed before the main module. */
  nodeArguments?: string[];
  /** How many times longer than its limit a turn of the event loop may take. */
  turnTolerance?: number;
}

/**
 * Starts a service on a free port with only these variables in its environment. Resolves once it listens.
 *
 * @param main path of the service's built main module
 * @param options.keepsLog if false, keeps only the lines logged before it listens
 * @throws Error with the service's output if it ends before it listens
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
  const monitored: Monitored[] = [];
  createInterface({ input: child.stdio[3] as Readable }).on("line", (line) => {
    const [what = "", ...times] = line.split(" ");
    const [ms = 0, beganAt = 0, endedAt = 0, maxMs = 0, slowness = 1] = times.map(Number);
    monitored.push({ what, ms, beganAt, endedAt, maxMs, slowness });
  });
  // The addresses are among the first lines, and a log may become long, so don't search all of it.
  const findAddress = (field: "address" | "metrics") =>
    log.find((line): line is LogLine & Record<typeof field, string> => typeof line[field] === "string")?.[field];
  await new Promise<void>((resolve, reject) => {
    for (const output of [child.stdout, child.stderr]) {
      createInterface({ input: output }).on("line", (line) => {
        if (options.keepsLog === false && findAddress("address")) return;
        if (line.startsWith('{"level":')) log.push(JSON.parse(line) as LogLine);
        else printed.push(line);
        if (findAddress("address")) resolve();
      });
    }
    void exited.then((how) =>
      reject(
        new Error(
          `It ended (${how}) before it listened:\n${[...printed, ...log.map((line) => JSON.stringify(line))].join("\n")}`,
        ),
      ),
    );
  });
  const { turnTolerance = defaultTurnTolerance } = options;
  const getLongTurns = () => {
    const listenedAt = Date.parse(String(log.find(({ address }) => address)?.time));
    const turns = monitored.filter(({ what, beganAt }) => what === "turn" && !(beganAt < listenedAt));
    return turns.flatMap(({ ms, beganAt, endedAt, maxMs, slowness }) => {
      // A garbage collection cleans up after all earlier requests, so no single request is to blame for it.
      const collectedMs = monitored
        .filter(({ what }) => what === "collection")
        .map((one) => Math.max(0, Math.min(one.endedAt, endedAt) - Math.max(one.beganAt, beganAt)))
        .reduce((sum, overlapMs) => sum + overlapMs, 0);
      const isCold = beganAt < listenedAt + coldStartMs;
      return ms - collectedMs <= turnTolerance * slowness * (isCold ? Math.max(maxMs, maxColdTurnMs) : maxMs)
        ? []
        : `${ms} ms (${collectedMs} ms of garbage collection, on a processor ${slowness} times slower than the limit's)`;
    });
  };
  return {
    baseUrl: findAddress("address") ?? "",
    metricsUrl: findAddress("metrics"),
    process: child,
    log,
    printed,
    exited,
    getLongTurns,
    async end(signal = "SIGTERM") {
      child.kill(signal);
      const how = await exited;
      const longTurns = getLongTurns();
      if (longTurns.length > 0) throw new Error(`${main} blocked its event loop for ${longTurns.join(", ")}`);
      return how;
    },
  };
}

/** Runs a service that should end by itself. Returns its exit code and the lines that it printed. */
export async function runToExit(
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
    // This folder has no .env file.
    cwd: tmpdir(),
    env: {
      PATH: process.env.PATH ?? "",
      TMPDIR: tmpdir(),
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? "",
      PORT: "0",
      ...variables,
    },
    stdio: ["ignore", "pipe", "pipe", "pipe"],
  }) as ChildProcessByStdio<null, Readable, Readable>;
}

/** The built main modules of the services, relative to the project's root. */
export const serviceMains = {
  "relay-express": "services/relay/dist/express/main.js",
  "relay-nest": "services/relay/dist/nest/main.js",
  knowledge: "services/knowledge/dist/main.js",
  listing: "services/listing/dist/main.js",
} as const;

export type ServiceName = keyof typeof serviceMains;
