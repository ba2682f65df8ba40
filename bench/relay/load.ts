import { buildDirectory } from "../harness/paths.ts";
import { cores, launch, readResult } from "../harness/processes.ts";
import type { Provider } from "../harness/provider.ts";
import { compile } from "../harness/provider.ts";
import type { Plan } from "./request.ts";
import { writeRequest } from "./request.ts";
import type { Subject } from "./subjects.ts";

export interface LoadOptions {
  concurrency: number;
  /** At least so many runs, */
  runs: number;
  /** and for at least so long. */
  minSeconds?: number;
  timeoutSeconds?: number;
  /** The clients begin spread over so long; otherwise at once. */
  rampMs?: number;
  /** Every client goes so long after its request, and what is measured is when the provider saw it. */
  closeAfterMs?: number;
  /** Clients that ask for an answer and read nothing of it, until the load is released. */
  idleReaders?: { count: number; plan: Plan };
}

export interface Distribution {
  p50: number;
  p99: number;
  max: number;
}

/** What load/load.c prints. */
export interface LoadResult {
  runs: number;
  completed: number;
  tokens: number;
  bytes: number;
  seconds: number;
  reconnects: number;
  /** Runs that failed, by how. */
  failures: Record<string, number>;
  firstTokenMicros: Distribution | null;
  /** From the provider's sending of a paced token to its arrival. */
  delayMicros: Distribution | null;
  /** Of clients that went: how many the provider did not notice within 2 s, and after what time it noticed the others. */
  neverSeen?: number;
  seenAfterMicros?: Distribution | null;
}

export interface Load {
  /** Rejects with what the load generator says when it can't do its work. */
  finished: Promise<LoadResult>;
  /** Lets idle readers go. */
  release(): void;
}

const maxHoldSeconds = 120;

export function startLoad(subject: Subject, port: number, provider: Provider, plan: Plan, options: LoadOptions): Load {
  const request = (what: Plan) => writeRequest(subject, port, provider.port, what);
  const { idleReaders, closeAfterMs } = options;
  const settings = {
    port,
    request: request(plan),
    format: subject.format,
    tokens: plan.tokens,
    concurrency: options.concurrency,
    runs: options.runs,
    min_seconds: options.minSeconds ?? 0,
    ramp_ms: options.rampMs ?? 0,
    timeout_seconds: options.timeoutSeconds ?? 60,
    ...(closeAfterMs && { close_after_ms: closeAfterMs, ends: provider.endsFile }),
    ...(idleReaders && {
      idle_readers: idleReaders.count,
      idle_request: request(idleReaders.plan),
      hold_seconds: maxHoldSeconds,
    }),
  };
  const args = Object.entries(settings).map(([name, value]) => `${name}=${value}`);
  const child = launch({ command: compile().load, args }, cores.load, buildDirectory);
  return { finished: readResult(child), release: () => child.kill("SIGTERM") };
}
