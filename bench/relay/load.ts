import { buildDirectory } from "../harness/paths.ts";
import { cores, launch, readResult } from "../harness/processes.ts";
import type { Provider } from "../harness/provider.ts";
import { compile } from "../harness/provider.ts";
import type { Plan } from "./request.ts";
import { writeRequest } from "./request.ts";
import type { Subject } from "./subjects.ts";

export interface LoadOptions {
  concurrency: number;
  /** Minimum number of runs. */
  runs: number;
  minSeconds?: number;
  timeoutSeconds?: number;
  /** Time over which the starts of the clients are spread. Otherwise, all start at once. */
  rampMs?: number;
  /** Every client disconnects this long after its request. The measured value is when the provider notices. */
  closeAfterMs?: number;
  /** Clients that send a request and read nothing of the response until the load is released. */
  idleReaders?: { count: number; plan: Plan };
}

export interface Distribution {
  p50: number;
  p99: number;
  max: number;
}

/** The output of load/load.c. */
export interface LoadResult {
  runs: number;
  completed: number;
  tokens: number;
  bytes: number;
  seconds: number;
  reconnects: number;
  /** Failed runs by kind. */
  failures: Record<string, number>;
  firstTokenMicros: Distribution | null;
  /** From the provider's sending of a paced token until its arrival. */
  delayMicros: Distribution | null;
  /** For disconnected clients: how many the provider did not notice within 2 s, and after what time it noticed the others. */
  neverSeen?: number;
  seenAfterMicros?: Distribution | null;
}

export interface Load {
  /** Rejects with the load generator's error output if it fails. */
  finished: Promise<LoadResult>;
  /** Disconnects the idle readers. */
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
