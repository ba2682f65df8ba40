import { randomUUID } from "node:crypto";
import type { RelayProfile, RunInput } from "@agent-backends/contract";
import { runInputSchema } from "@agent-backends/contract";
import type { Logger, Reading } from "@agent-backends/kit";
import { Lifecycle, parseInput } from "@agent-backends/kit";
import { SwapRemoveList, TimeoutWatch } from "@agent-backends/kit/timeouts";
import type { CompletionRequest } from "@agent-backends/llm";
import { ChatCompletionClient, ProviderStatus } from "@agent-backends/llm";
import type { RelayConfiguration } from "./configuration.ts";
import { EventBuffer } from "./event-buffer.ts";
import { failures, streamErrorFailure } from "./failures.ts";
import type { Run, RunDependencies, RunOutput } from "./run.ts";
import { startRun } from "./run.ts";
import type { FrameCounts } from "./transcoder.ts";

/** The relay, without the HTTP framework in front of it. */
export class Relay {
  readonly lifecycle: Lifecycle;
  /** Watches for streams that are silent and want a heartbeat. */
  readonly heartbeats: TimeoutWatch;
  /** How many frames of the provider were recognised by their bytes, and how many had to be parsed, since the start. */
  readonly frames: FrameCounts = { recognised: 0, parsed: 0 };
  readonly logger: Logger;
  readonly model: string;
  readonly #fixedProfile: RelayProfile | undefined;
  readonly #completions: ChatCompletionClient;
  readonly #provider: ProviderStatus;
  readonly #needs: RunDependencies;
  readonly #runs = new SwapRemoveList<Run>();
  readonly #ages: TimeoutWatch;

  constructor(configuration: RelayConfiguration, logger: Logger) {
    this.logger = logger;
    this.heartbeats = new TimeoutWatch(configuration.STREAM_HEARTBEAT_MS);
    this.#ages = new TimeoutWatch(configuration.RELAY_RUN_TIMEOUT_MS);
    this.model = configuration.RELAY_MODEL;
    this.#fixedProfile = configuration.RELAY_PROFILE === "auto" ? undefined : configuration.RELAY_PROFILE;
    const provider = { baseUrl: configuration.LLM_BASE_URL, apiKey: configuration.LLM_API_KEY };
    const models = [{ use: "chat", name: this.model, variable: "RELAY_MODEL" }] as const;
    this.#provider = new ProviderStatus({ provider, models });
    this.lifecycle = new Lifecycle({
      graceMs: configuration.SHUTDOWN_GRACE_MS,
      checkReady: async () =>
        configuration.LLM_API_KEY === ""
          ? "LLM_API_KEY is missing: set it to the key of your model provider"
          : undefined,
      describe: () => ({ service: "relay", provider: this.#provider.report() }),
    });
    this.#completions = new ChatCompletionClient({
      provider,
      connectTimeoutMs: configuration.RELAY_CONNECT_TIMEOUT_MS,
      firstBytesTimeoutMs: configuration.RELAY_FIRST_TOKEN_TIMEOUT_MS,
      idleTimeoutMs: configuration.RELAY_IDLE_TIMEOUT_MS,
    });
    this.#needs = {
      model: this.model,
      completions: this.#completions,
      events: new EventBuffer(),
      frames: this.frames,
      lessons: {},
      newId: () => randomUUID(),
      describeError: (error) => streamErrorFailure(error, [configuration.LLM_API_KEY]),
      report: (failure, error, requestId) => {
        this.#provider.failed(error, this.model);
        logger.warn({ request_id: requestId, code: failure.code, err: error }, `run failed: ${failure.message}`);
      },
      succeeded: () => this.#provider.succeeded(this.model),
      mostTokens: configuration.RELAY_MAX_TOKENS,
      watchAge: (onTooOld) => this.#ages.watch(onTooOld),
    };
    // One listener for all: a listener for each run would cost more than its tokens.
    this.lifecycle.graceEnded.addEventListener("abort", () => {
      this.#runs.visit((run) => run.fail(failures.shuttingDown));
    });
  }

  /**
   * Reads a request's body as a run input.
   *
   * @throws ProblemError `invalid-input`, naming every offending field
   */
  readInput(body: unknown): RunInput {
    return parseInput(runInputSchema, body);
  }

  /**
   * Starts to answer. `ended` has to be called once the output is closed.
   *
   * @param options.profile what the address asks for; without it `RELAY_PROFILE` decides, and then the run input
   * @param options.headers go to the provider beside its own
   */
  start(
    input: RunInput,
    output: RunOutput,
    options: { profile?: RelayProfile | undefined; headers?: CompletionRequest["headers"] },
  ): Run {
    const profile = options.profile ?? this.#fixedProfile ?? profileFor(input);
    const run = startRun(input, profile, output, this.#needs, options.headers);
    this.#runs.add(run);
    return run;
  }

  /** The output of a run is closed: whatever still goes on for it stops. */
  ended(run: Run): void {
    this.#runs.remove(run);
    run.abandon();
  }

  /** What `GET /health` says. */
  health(): { status: "ok"; timestamp: string } {
    return { status: "ok", timestamp: new Date().toISOString() };
  }

  /** What it counts itself, for the metrics. */
  readings(): Reading[] {
    const help = "Frames of providers: fast ones were recognised by their bytes, slow ones had to be parsed.";
    const read = () => ({ fast: this.frames.recognised, slow: this.frames.parsed });
    return [{ kind: "counter", name: "relay_frames_total", help, label: "path", read }];
  }

  close(): Promise<void> {
    this.#provider.close();
    return this.#completions.close();
  }
}

/** Clients of AG-UI 1.0 declare the protocol's version. Those of 0.0.x say nothing that tells them from any other client. */
function profileFor({ protocolVersion }: RunInput): RelayProfile {
  return protocolVersion === undefined ? "contract" : "ag-ui";
}
