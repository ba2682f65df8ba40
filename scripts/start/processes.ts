import type { ChildProcess } from "node:child_process";
import { spawn } from "node:child_process";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { resolve } from "node:path";
import { createInterface } from "node:readline";
import type { ServicePlan } from "./plan.ts";

const startTimeoutMs = 100_000;
const pollIntervalMs = 100;
/** Time after which the terminal shows what is being waited for. */
const patienceMs = 5_000;
/** A process that still runs after this time is killed, so that Ctrl-C stops everything within 5 s. */
const stopTimeoutMs = 4_000;

/** Whether something listens on the port. */
export function isTaken(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", (error: NodeJS.ErrnoException) => resolve(error.code === "EADDRINUSE"));
    probe.listen({ host, port }, () => probe.close(() => resolve(false)));
  });
}

export function freePort(host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen({ host, port: 0 }, () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}

/** pino's number for warnings. */
const warningLevel = 40;

interface LoggedError {
  message?: string;
  cause?: LoggedError;
}

/** Shortens a log line for the terminal: shows only the messages of warnings and errors, since stacks would fill the screen. */
export function shortenLogLine(line: string): string {
  if (!line.startsWith("{")) return line;
  try {
    const { level, msg, err } = JSON.parse(line) as { level?: number; msg?: string; err?: LoggedError };
    if (level === undefined || level < warningLevel || msg === undefined) return line;
    const toSentence = (message: string) => message.replaceAll("\n", " ").replace(/\.$/, "");
    let said = toSentence(msg);
    for (let error = err; error?.message !== undefined; error = error.cause) {
      const sentence = toSentence(error.message);
      if (!said.endsWith(sentence)) said += `: ${sentence}`;
    }
    return said;
  } catch {
    return line;
  }
}

/** Compile cache, shared with the command line. It saves about 50 ms per start. */
const compileCache = resolve("node_modules/.cache/compile");

/** Starts a service with these variables and prints its output, each line prefixed with the service's name. */
export function startProcess(plan: ServicePlan, environment: NodeJS.ProcessEnv): ChildProcess {
  const { main, nodeFlags, nodeEnvironment } = plan;
  const env = { ...nodeEnvironment, NODE_COMPILE_CACHE: compileCache, ...environment };
  const child = spawn(process.execPath, [...nodeFlags, main], { env, stdio: ["ignore", "pipe", "pipe"] });
  for (const output of [child.stdout, child.stderr]) {
    createInterface({ input: output }).on("line", (line) => console.log(`[${plan.name}] ${shortenLogLine(line)}`));
  }
  return child;
}

/** Whether a process has exited or was killed. */
export function hasEnded(child: ChildProcess): boolean {
  return child.exitCode !== null || child.signalCode !== null;
}

/** Resolves when the service is ready. Rejects when its process ends first, or when it takes too long. */
export async function untilReady(plan: ServicePlan, child: ChildProcess, baseUrl: string): Promise<void> {
  const startedAt = performance.now();
  const deadline = startedAt + startTimeoutMs;
  let isSaid = false;
  let last = "it does not listen yet";
  while (performance.now() < deadline) {
    if (hasEnded(child)) {
      throw new Error(`The ${plan.name} service ended while it started; its lines above say why.`);
    }
    try {
      const response = await fetch(`${baseUrl}/ready`, { signal: AbortSignal.timeout(5_000) });
      if (response.ok) return;
      last = `${response.status} ${await response.text()}`;
    } catch (error) {
      last = String((error as Error).cause ?? error);
    }
    if (!isSaid && performance.now() - startedAt > patienceMs) {
      isSaid = true;
      console.log(`Waiting for ${plan.name}, for at most ${startTimeoutMs / 1000} s …`);
    }
    await new Promise((resolve) => setTimeout(resolve, pollIntervalMs));
  }
  throw new Error(`The ${plan.name} service was not ready within ${startTimeoutMs / 1000} s: ${last}`);
}

/** Ends the processes with SIGTERM, and after a while with SIGKILL. */
export async function stopProcesses(children: Iterable<ChildProcess>): Promise<void> {
  const running = [...children].filter((child) => !hasEnded(child));
  const ended = running.map((child) => new Promise((resolve) => child.once("exit", resolve)));
  for (const child of running) child.kill("SIGTERM");
  const force = setTimeout(() => {
    for (const child of running) child.kill("SIGKILL");
  }, stopTimeoutMs);
  await Promise.all(ended);
  clearTimeout(force);
}
