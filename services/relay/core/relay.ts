import { randomUUID } from "node:crypto";
import type { RelayProfile, RunInput } from "@agent-backends/contract";
import { problems } from "@agent-backends/contract";
import type { Logger, Reading } from "@agent-backends/kit";
import { Lifecycle } from "@agent-backends/kit";
import { describeRuns, EventBuffer, Runs } from "@agent-backends/kit/runs";
import { SwapRemoveList, TimeoutWatch } from "@agent-backends/kit/timeouts";
import { ChatProviders } from "@agent-backends/llm";
import { identifyModel } from "./artefact.ts";
import { describeCapabilities } from "./capabilities.ts";
import { failures, toStreamErrorFailure } from "./failures.ts";
import type { RelayOptions } from "./options.ts";
import { parseOptions } from "./options.ts";
import type { RunContext, RunOutput, RunStart } from "./run.ts";
import { Run } from "./run.ts";
import type { FrameCounts, FrameLessons } from "./transcoder.ts";
import { Transcoder } from "./transcoder.ts";

/** The relay, independent of the HTTP framework in front of it. */
export class Relay {
  readonly lifecycle: Lifecycle;
  readonly heartbeatMs: number;
  /** Counts since the start of the process. */
  readonly frames: FrameCounts = { recognised: 0, parsed: 0 };
  readonly logger: Logger;
  readonly model: string;
  /** The profile of all runs whose URL names none. */
  readonly fixedProfile: RelayProfile | undefined;
  /** Absent if runs can't be resumed. */
  readonly runs: Runs | undefined;
  readonly #runTimeoutMs: number;
  readonly #providers: ChatProviders;
  readonly #context: RunContext;
  readonly #runs = new SwapRemoveList<Run>();

  /** @throws ConfigurationError if an option is malformed */
  constructor(given: RelayOptions) {
    const options = parseOptions(given);
    const { apiKey, keyVariable, model, logger } = options;
    this.logger = logger;
    this.model = model;
    this.heartbeatMs = options.heartbeatMs;
    this.#runTimeoutMs = options.runTimeoutMs;
    this.fixedProfile = options.profile === "auto" ? undefined : options.profile;
    const connection = {
      connectTimeoutMs: options.connectTimeoutMs,
      firstTokenTimeoutMs: options.firstTokenTimeoutMs,
      idleTimeoutMs: options.idleTimeoutMs,
      retryOn: "busy",
      egress: options.egress,
    } as const;
    const providers = new ChatProviders({
      baseUrl: options.baseUrl,
      apiKey,
      models: [{ use: "chat", name: model, variable: "RELAY_MODEL" }],
      fallbacks: options.fallbacks,
      fallbackAfterMs: options.fallbackAfterMs,
      connection,
      now: Date.now,
      log: logger,
    });
    this.#providers = providers;
    this.lifecycle = new Lifecycle({
      graceMs: options.shutdownGraceMs,
      async checkReady() {
        if (apiKey === "" && keyVariable !== "") throw problems.missingKey(keyVariable);
      },
      describe: () => ({ service: "relay", provider: providers.report() }),
    });
    const events = new EventBuffer();
    const durations = new TimeoutWatch(options.runTimeoutMs);
    const lessons: FrameLessons = {};
    const newId = () => randomUUID();
    const identity = identifyModel(providers.first.name);
    this.#context = {
      model,
      identity,
      events,
      provider: providers,
      createTranscoder: (
        { threadId, runId, parentRunId, protocolVersion: clientVersion, messages, tools },
        profile,
        sink = events,
      ) =>
        new Transcoder({
          profile,
          identity: { threadId, runId, parentRunId, clientVersion, messageId: newId() },
          model: identity,
          events: sink,
          toolNames: tools?.map(({ name }) => name) ?? [],
          callIds: messages
            .flatMap((message) => (message.role === "assistant" ? message.toolCalls : []) ?? [])
            .map(({ id }) => id),
          newId,
          describeError: (error) => toStreamErrorFailure(error, providers.secrets),
          frames: this.frames,
          lessons,
          maxTokens: options.maxTokens,
        }),
      watchDuration: (onTimeout) => durations.watch(onTimeout),
      onFailure: ({ code, message, cause, isIntended }, requestId, by) => {
        if (isIntended) return;
        (by ?? providers.first).failed(cause);
        logger.warn({ request_id: requestId, provider: by?.name, code, err: cause }, `run failed: ${message}`);
      },
      onSuccess: (by) => (by ?? providers.first).succeeded(),
      onWarnings: (warnings, requestId) => {
        logger.warn({ request_id: requestId, warnings }, "a part of the run input did not reach the model");
      },
      onAnswerWarnings: (warnings, requestId) => {
        logger.warn({ request_id: requestId, warnings }, "a part of the model's answer did not reach the client");
      },
    };
    const { runsUrl: url, runRetentionMs: retentionMs, runOrphanMs: orphanMs, runOwner: getOwner } = options;
    if (url !== "") {
      const { runTimeoutMs: runMs } = options;
      this.runs = new Runs({ url, retentionMs, orphanMs, getOwner, runMs, events, lifecycle: this.lifecycle, logger });
    }
    // One listener for all runs: a listener per run would cost more than relaying its tokens.
    this.lifecycle.graceEnded.addEventListener("abort", () => {
      this.#runs.visit((run) => run.fail(failures.shuttingDown));
    });
  }

  /** Starts a run. The caller must call `remove` once the run has ended or isn't needed any more. */
  start(input: RunInput, output: RunOutput, options: RunStart): Run {
    const run = new Run(input, options.profile, output, this.#context);
    run.start(input, options);
    this.#runs.add(run);
    return run;
  }

  /** Stops all remaining work of a run. */
  remove(run: Run): void {
    this.#runs.remove(run);
    run.abandon();
  }

  /** Whether one of several providers may answer. */
  get hasFallbacks(): boolean {
    return this.#providers.hasFallbacks;
  }

  /** The body of `GET /health`. */
  health(): { status: "ok"; timestamp: string } {
    return { status: "ok", timestamp: new Date().toISOString() };
  }

  /** The body of `GET /agent/capabilities`. */
  capabilities(): object {
    return describeCapabilities({
      runTimeoutMs: this.#runTimeoutMs,
      vendor: this.#context.identity.vendor,
      resumable: this.runs !== undefined,
    });
  }

  /** The relay's metrics. */
  readings(): Reading[] {
    const help = "Frames of providers: fast ones were recognised by their bytes, slow ones had to be parsed.";
    const read = () => ({ fast: this.frames.recognised, slow: this.frames.parsed });
    return [
      { kind: "counter", name: "relay_frames_total", help, label: "path", read },
      ...this.#providers.readings(),
      ...describeRuns(this.runs),
    ];
  }

  /** Refuses new runs, waits for running ones until the grace period ends, and releases all resources. */
  async close(): Promise<void> {
    await this.lifecycle.drain();
    await this.runs?.close();
    this.#providers.close();
  }
}

/** Creates a relay that a host application mounts, and closes when it ends. */
export function createRelay(options: RelayOptions = {}): Relay {
  return new Relay(options);
}
