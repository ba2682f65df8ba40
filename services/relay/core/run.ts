import type { RelayProfile, RunInput, TokenUsage } from "@agent-backends/contract";
import type { SwapRemoveItem, Watched } from "@agent-backends/kit/timeouts";
import type { CompletionRequest, CompletionStream, CompletionStreamHandler, ProviderError } from "@agent-backends/llm";
import { ToolCalls } from "@agent-backends/llm";
import type { EventBuffer } from "./event-buffer.ts";
import { failures, providerFailure } from "./failures.ts";
import { createProfile } from "./profiles/create-profile.ts";
import type { Profile, RunFailure } from "./profiles/profile.ts";
import { providerRequest } from "./provider-request.ts";
import type { FrameCounts, FrameLessons } from "./transcoder.ts";
import { Transcoder } from "./transcoder.ts";

/** What runs need from outside. */
export interface RunDependencies {
  model: string;
  completions: { open(request: CompletionRequest, handler: CompletionStreamHandler): CompletionStream };
  events: EventBuffer;
  frames: FrameCounts;
  lessons: FrameLessons;
  newId(): string;
  /** Says what a client may know of an error inside the provider's stream. */
  describeError(error: unknown): RunFailure;
  /** Takes how a run failed, for the log, with the error that made it fail where there was one. */
  report(failure: RunFailure, error: unknown, requestId: string | undefined): void;
  /** A provider's answer is whole. */
  succeeded(): void;
  /** Tokens that an answer may have. */
  mostTokens: number;
  /** Calls back when a run that begins now has taken as long as it may. */
  watchAge(onTooOld: () => void): Watched;
}

/** How a run ended. */
export interface RunResult {
  /** Why it failed, if it did. */
  readonly failure: RunFailure | undefined;
  readonly usage: TokenUsage | undefined;
}

/** Where a run's events go. */
export interface RunOutput {
  /** The id of the request that is answered, where it has one. */
  readonly requestId: string | undefined;
  /** Takes what the buffer holds. Returns false when nothing more should be written until `Run.drained` is called. */
  write(events: EventBuffer): boolean;
  /** Takes what the buffer holds, if anything, as the last. */
  end(events: EventBuffer, result: RunResult): void;
  /** Closes at once, because writing failed. */
  abort(): void;
}

/** A run on its way. Nothing happens to it any more once it has ended. */
export interface Run extends SwapRemoveItem {
  /** The output can take more. */
  drained(): void;
  /** The client is gone: stops all work for it. */
  abandon(): void;
  /** Ends the run as failed. */
  fail(failure: RunFailure): void;
}

/**
 * Answers a run input: asks the provider and writes the events of its answer as they come.
 *
 * @param headers go to the provider beside its own
 */
export function startRun(
  input: RunInput,
  profile: RelayProfile,
  output: RunOutput,
  needs: RunDependencies,
  headers?: CompletionRequest["headers"],
): Run {
  const run = new ProviderRun(input, profile, output, needs);
  run.ask(() => {
    const request = providerRequest(input, { model: needs.model, profile });
    return headers ? { ...request, headers } : request;
  });
  return run;
}

class ProviderRun implements Run, CompletionStreamHandler {
  index = -1;
  readonly #needs: RunDependencies;
  readonly #output: RunOutput;
  readonly #profile: Profile;
  readonly #transcoder: Transcoder;
  readonly #age: Watched;
  #stream: CompletionStream | undefined;
  #error: unknown;
  #over = false;

  constructor({ threadId, runId, tools }: RunInput, profile: RelayProfile, output: RunOutput, needs: RunDependencies) {
    const { events, newId, describeError, frames, lessons, mostTokens } = needs;
    this.#needs = needs;
    this.#output = output;
    this.#profile = createProfile(profile, { threadId, runId, messageId: newId() }, events, newId);
    const toolNames = tools?.map(({ name }) => name) ?? [];
    const toolCalls = new ToolCalls(this.#profile, { newId, uniqueIds: profile !== "contract", toolNames });
    this.#transcoder = new Transcoder(this.#profile, toolCalls, {
      describeError,
      counts: frames,
      lessons,
      mostTokens,
    });
    this.#age = needs.watchAge(() => this.fail(failures.tooLong));
  }

  /** Making the request may fail too, on values that nest too deeply to be written: then the run does. */
  ask(makeRequest: () => CompletionRequest): void {
    this.#step(() => this.#profile.started());
    this.#step(() => {
      this.#stream = this.#needs.completions.open(makeRequest(), this);
    });
  }

  get hasFinished(): boolean {
    return this.#transcoder.hasFinishReason;
  }

  onBytes(bytes: Buffer, start: number, end: number): void {
    if (this.#over) return;
    try {
      this.#transcoder.push(bytes, start, end);
    } catch (thrown) {
      this.#error = thrown;
      this.#transcoder.fail(failures.internal);
    }
  }

  onReadEnd(): void {
    this.#flush();
  }

  onEnd(): void {
    this.#step(() => this.#transcoder.end());
  }

  onFailure(error: ProviderError): void {
    this.#error = error;
    this.#step(() => this.#transcoder.end(providerFailure(error)));
  }

  drained(): void {
    this.#stream?.resume();
  }

  abandon(): void {
    // A run that has ended has left its request to end by itself, or stopped it.
    if (this.#over) return;
    this.#over = true;
    this.#age.stop();
    this.#stream?.abort();
  }

  fail(failure: RunFailure): void {
    this.#step(() => this.#transcoder.fail(failure));
  }

  #step(work: () => void): void {
    if (this.#over) return;
    try {
      work();
    } catch (thrown) {
      this.#error = thrown;
      this.#transcoder.fail(failures.internal);
    }
    this.#flush();
  }

  /** Hands over what was written. It must be called before another run's turn: the buffer is everybody's. */
  #flush(): void {
    if (this.#over) return;
    const { events } = this.#needs;
    const { ended, failure } = this.#transcoder;
    try {
      if (!ended) {
        if (!events.empty && !this.#output.write(events)) this.#stream?.pause();
        return;
      }
      this.#over = true;
      this.#age.stop();
      if (failure) {
        this.#needs.report(failure, this.#error, this.#output.requestId);
        this.#stream?.abort();
      } else {
        this.#needs.succeeded();
        this.#stream?.release();
      }
      this.#output.end(events, this.#transcoder);
    } catch (thrown) {
      this.#over = true;
      this.#age.stop();
      events.clear();
      this.#needs.report(failures.internal, thrown, this.#output.requestId);
      this.#stream?.abort();
      this.#output.abort();
    }
  }
}
