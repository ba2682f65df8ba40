import { freePorts } from "@agent-backends/testing";
import { cores, cpuMicros, forgetPeak, memory, startProgram } from "../harness/processes.ts";
import type { Provider } from "../harness/provider.ts";
import type { Load, LoadOptions, LoadResult } from "./load.ts";
import { startLoad } from "./load.ts";
import type { Plan } from "./request.ts";
import type { Subject } from "./subjects.ts";

/** A running subject, and measurements of its process. Without a process (no relay), they are NaN. */
export interface Server {
  load(plan: Plan, options: LoadOptions): Promise<LoadResult>;
  /** Clients that send a request and read nothing until they are released. */
  holdIdleReaders(count: number, plan: Plan): Load;
  cpuMicros(): number;
  memory(): { now: number; peak: number };
  forgetPeak(): void;
  close(): Promise<void>;
}

/** @throws Error with the end of the process's output if it doesn't start */
export async function startServer(subject: Subject, provider: Provider, redisPort: number): Promise<Server> {
  const [port = 0] = subject.start ? await freePorts(1) : [provider.port];
  const begin = (plan: Plan, options: LoadOptions) => startLoad(subject, port, provider, plan, options);
  const clients = {
    load: (plan: Plan, options: LoadOptions) => begin(plan, options).finished,
    holdIdleReaders: (count: number, plan: Plan) =>
      begin(plan, { concurrency: 0, runs: 0, idleReaders: { count, plan } }),
  };
  const launched = subject.start?.(port, provider.port, redisPort);
  if (!launched) {
    const none = Number.NaN;
    const nothing = { cpuMicros: () => none, memory: () => ({ now: none, peak: none }), forgetPeak: () => {} };
    return { ...clients, ...nothing, close: async () => {} };
  }
  const { pid, close } = await startProgram(launched, cores.server, port);
  return {
    ...clients,
    cpuMicros: () => cpuMicros(pid),
    memory: () => memory(pid),
    forgetPeak: () => forgetPeak(pid),
    close,
  };
}
