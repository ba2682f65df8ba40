import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import type { RelayProfile } from "@agent-backends/contract";
import { problems } from "@agent-backends/contract";
import type { Lifecycle } from "../lifecycle.ts";
import type { Logger } from "../logger.ts";
import type { Reading } from "../observability/index.ts";
import type { EventBuffer } from "./event-buffer.ts";
import { MemoryRunLog } from "./memory/memory-run-log.ts";
import type { Backlog } from "./recording.ts";
import { Recording } from "./recording.ts";
import { RedisRunLog } from "./redis/redis-run-log.ts";
import type { RunLog, RunLogCounts, RunWriter, StoredRun } from "./run-log.ts";
import { RunLogUnavailableError, RunLostError } from "./run-log.ts";
import { StoredBatch } from "./stored-events.ts";

/** The runs of a service that can be resumed and stopped. */
export class Runs {
  readonly #log: RunLog;
  readonly events: EventBuffer;
  /** One batch for all runs, like the event buffer. */
  readonly #batch = new StoredBatch();
  readonly #orphanMs: number;
  readonly getOwner: (request: IncomingMessage) => string;
  readonly #logger: Logger;
  readonly #backlog: Backlog = { bytes: 0 };
  /** Running runs of this process, recorded or not. */
  readonly #running = new Map<string, Recording>();
  /** Delays the shutdown until runs that other processes can read have ended. */
  readonly #lifecycle: Lifecycle | undefined;
  readonly #onEnd = (recording: Recording): void => {
    if (this.#running.get(recording.name) === recording) this.#running.delete(recording.name);
    this.#lifecycle?.workEnded();
  };

  /** @param options.url `memory:` or the URL of a Redis server */
  constructor(options: {
    url: string;
    retentionMs: number;
    orphanMs: number;
    runMs: number;
    getOwner(request: IncomingMessage): string;
    events: EventBuffer;
    lifecycle: Lifecycle;
    logger: Logger;
  }) {
    const isInMemory = options.url === "memory:";
    this.#log = isInMemory ? new MemoryRunLog(options) : new RedisRunLog({ ...options, replica: randomUUID() });
    this.#lifecycle = isInMemory ? undefined : options.lifecycle;
    this.events = options.events;
    this.#orphanMs = options.orphanMs;
    this.getOwner = options.getOwner;
    this.#logger = options.logger;
  }

  /**
   * Starts recording a run. If the log can't be reached, the run starts without a recording.
   *
   * @param address URL where the run can be read
   * @throws ProblemError `conflict` if a run with this id exists
   */
  async begin(request: IncomingMessage, runId: string, profile: RelayProfile, address: string): Promise<Recording> {
    const name = this.#toName(request, runId);
    const recording = new Recording({
      events: this.events,
      batch: this.#batch,
      orphanMs: this.#orphanMs,
      backlog: this.#backlog,
      name,
      onEnd: this.#onEnd,
    });
    let writer: RunWriter | undefined;
    try {
      writer = await this.#log.create(name, profile, recording);
      if (writer === undefined) throw problems.runExists(runId, address);
    } catch (error) {
      if (!(error instanceof RunLogUnavailableError)) throw error;
      this.#log.counts.lost += 1;
    }
    this.#running.set(name, recording);
    this.#lifecycle?.workStarted();
    recording.begin(writer);
    return recording;
  }

  /** @throws ProblemError `not-found`, `gone` or `unavailable` */
  async find(request: IncomingMessage, runId: string): Promise<StoredRun> {
    try {
      const run = await this.#log.find(this.#toName(request, runId));
      if (run) return run;
    } catch (error) {
      if (error instanceof RunLostError) throw problems.runLost(error);
      if (!(error instanceof RunLogUnavailableError)) throw error;
      this.#logger.warn({ err: error.cause }, "a run could not be looked up");
      throw problems.runLogUnavailable();
    }
    throw problems.noRun(runId);
  }

  /**
   * Ends a run in any process. A run of this process can be stopped even if its log is down or has lost its events.
   *
   * @throws ProblemError `not-found`, `gone` or `unavailable`
   */
  async stop(request: IncomingMessage, runId: string): Promise<void> {
    const recording = this.#running.get(this.#toName(request, runId));
    if (recording) recording.stop();
    else await (await this.find(request, runId)).stop();
  }

  get counts(): RunLogCounts {
    return this.#log.counts;
  }

  close(): Promise<void> {
    return this.#log.close();
  }

  /** Two clients may use the same run id: each has its own runs. */
  #toName(request: IncomingMessage, runId: string): string {
    // UTF-8, in URLs and in Redis, replaces lone surrogates.
    return JSON.stringify([this.getOwner(request), runId.toWellFormed()]);
  }
}

/** Metrics of a service's runs. They stay 0 if runs can't be resumed. */
export function describeRuns(runs: Runs | undefined): Reading[] {
  return [
    {
      kind: "counter",
      name: "run_log_appends_total",
      help: "Batches of events stored in the run log.",
      read: () => runs?.counts.appended ?? 0,
    },
    {
      kind: "counter",
      name: "run_log_lost_runs_total",
      help: "Runs that can't be resumed, because the run log failed or a limit was reached.",
      read: () => runs?.counts.lost ?? 0,
    },
  ];
}
