import type { ChildProcess } from "node:child_process";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { availableParallelism } from "node:os";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { freePorts } from "@agent-backends/testing";
import { buildDirectory } from "./paths.ts";

/** The server under test has its own core; load and provider share the other one. */
export const cores = { server: 0, load: 1 };
/** Linux reports CPU time to programs in hundredths of a second, on any machine. */
const microsPerTick = 10_000;
/** For programs that use several threads. */
export const allCores = Array.from({ length: availableParallelism() }, (_, core) => core).join(",");
export const pinned = availableParallelism() > 1;

const running = new Set<ChildProcess>();
process.on("exit", () => {
  for (const child of running) killTree(child, "SIGKILL");
});
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => process.exit(1));

export interface Launch {
  command: string;
  args: string[];
  environment?: Record<string, string>;
}

/** Starts a program on one or more cores (in the format of `taskset -c`), with the machine's maximum number of open files. */
export function launch(
  { command, args, environment = {} }: Launch,
  core: number | string,
  directory: string,
): ChildProcess {
  const pin = pinned ? ["taskset", "-c", String(core)] : [];
  const child = spawn("sh", ["-c", 'ulimit -n "$(ulimit -Hn)"; exec "$@"', "sh", ...pin, command, ...args], {
    cwd: directory,
    env: { PATH: process.env.PATH, NODE_ENV: "production", ...environment },
    stdio: ["ignore", "pipe", "pipe"],
  });
  running.add(child);
  child.once("close", () => running.delete(child));
  return child;
}

/** Ends a program and its child processes. */
export async function end(child: ChildProcess, graceMs = 3_000): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = new Promise((resolve) => child.once("close", resolve));
  killTree(child, "SIGTERM");
  const timer = setTimeout(() => killTree(child, "SIGKILL"), graceMs);
  await closed;
  clearTimeout(timer);
}

function killTree(child: ChildProcess, signal: NodeJS.Signals): void {
  if (child.pid === undefined) return;
  for (const pid of processTree(child.pid)) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
    }
  }
}

/** The ids of a process and all its descendants. */
function processTree(pid: number): number[] {
  const children = listThreads(pid).flatMap((thread) => readLines(`/proc/${pid}/task/${thread}/children`));
  return [pid, ...children.flatMap((child) => processTree(Number(child)))];
}

/** CPU time that a process tree has used so far, for all threads, in microseconds (as counted by the scheduler). */
export function cpuMicros(pid: number): number {
  const perThread = processTree(pid).flatMap((member) =>
    listThreads(member).map((thread) => Number(readLines(`/proc/${member}/task/${thread}/schedstat`)[0] ?? 0) / 1_000),
  );
  return perThread.reduce((sum, micros) => sum + micros, 0);
}

/** CPU time of one process in microseconds, including ended threads, in steps of 10 ms (see proc_pid_stat(5)). */
export function cpuMicrosOfAllThreads(pid: number): number {
  const [, rest = ""] = read(`/proc/${pid}/stat`).split(") ");
  const [userTicks, systemTicks] = rest.split(" ").slice(11, 13).map(Number);
  return ((userTicks ?? 0) + (systemTicks ?? 0)) * microsPerTick;
}

/** Resident memory of a process tree in bytes: the current value, and the peak since `forgetPeak`. */
export function memory(pid: number): { now: number; peak: number } {
  const sum = (field: string) =>
    processTree(pid)
      .map((member) => Number(new RegExp(`${field}:\\s+(\\d+) kB`).exec(read(`/proc/${member}/status`))?.[1] ?? 0))
      .reduce((total, kilobytes) => total + kilobytes * 1024, 0);
  return { now: sum("VmRSS"), peak: sum("VmHWM") };
}

/** Resets the peak to the current value. See `clear_refs` in proc(5), value 5. */
export function forgetPeak(pid: number): void {
  for (const member of processTree(pid)) writeFileSync(`/proc/${member}/clear_refs`, "5");
}

function listThreads(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return []; // The process has ended in the meantime.
  }
}

function readLines(path: string): string[] {
  return read(path).split(/\s+/).filter(Boolean);
}

function read(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return ""; // The process has ended in the meantime.
  }
}

export interface Server {
  port: number;
  baseUrl: string;
  pid: number;
  close(): Promise<void>;
}

/** Starts a server that was told this port. Resolves when it listens. @throws Error with the end of its output when it does not come up */
export async function startProgram(
  program: Launch,
  core: number | string,
  port: number,
  graceMs?: number,
): Promise<Server> {
  mkdirSync(buildDirectory, { recursive: true });
  const child = launch(program, core, buildDirectory);
  await waitUntilListening(child, port);
  if (child.pid === undefined) throw new Error("A server has no process");
  return { port, baseUrl: `http://127.0.0.1:${port}`, pid: child.pid, close: () => end(child, graceMs) };
}

/** Starts a server of Node, which is told a free port as `PORT`. */
export async function startServer(
  args: string[],
  environment: Record<string, string>,
  core: number | string,
  graceMs?: number,
): Promise<Server> {
  const [port = 0] = await freePorts(1);
  const program = { command: process.execPath, args, environment: { PORT: String(port), ...environment } };
  return startProgram(program, core, port, graceMs);
}

/** Resolves with the JSON that a launched program prints. Rejects with the program's error output if it fails. */
export async function readResult<Result>(child: ChildProcess): Promise<Result> {
  if (!child.stdout || !child.stderr) throw new Error("A program has no output");
  const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  if (code !== 0) throw new Error(`${child.spawnargs.join(" ")} ended with ${code}: ${errors.trim()}`);
  return JSON.parse(output) as Result;
}

const startTimeoutMs = 30_000;
const pauseMs = 20;
const maxOutputBytes = 2_000;

/** Resolves when a program takes connections at a port. What it prints is read, also afterwards. */
async function waitUntilListening(child: ChildProcess, port: number): Promise<void> {
  let output = "";
  const keep = (bytes: Buffer) => {
    output = (output + bytes.toString()).slice(-maxOutputBytes);
  };
  child.stdout?.on("data", keep);
  child.stderr?.on("data", keep);
  const deadline = performance.now() + startTimeoutMs;
  while (!(await accepts(port))) {
    if (child.exitCode !== null || performance.now() > deadline) {
      await end(child);
      throw new Error(`It does not listen. Its last output:\n${output}`);
    }
    await sleep(pauseMs);
  }
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}
