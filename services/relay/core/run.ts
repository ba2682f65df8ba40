import type { RelayProfile, RunInput, TokenUsage } from "@agent-backends/contract";
import { limits } from "@agent-backends/contract";
import type { RunWarning } from "@agent-backends/kit/ag-ui";
import type { EventBuffer, EventSink } from "@agent-backends/kit/runs";
import type { ActivityTimeout, SwapRemoveItem } from "@agent-backends/kit/timeouts";
import type {
  AskedProvider,
  ChatProviders,
  ProviderError,
  ProviderRequest,
  ProviderStream,
  StreamHandler,
} from "@agent-backends/llm";
import type { ModelIdentity } from "./artefact.ts";
import { identifyModel } from "./artefact.ts";
import type { RunFailure } from "./failures.ts";
import { failures, toInternalFailure, toProviderFailure } from "./failures.ts";
import { buildProviderRequest } from "./request/provider-request.ts";
import type { Transcoder } from "./transcoder.ts";

/** State shared by all runs of a relay. */
export interface RunContext {
  readonly model: string;
  readonly identity: ModelIdentity;
  readonly events: EventBuffer;
  readonly provider: Pick<ChatProviders, "openCompletion" | "hasFallbacks">;
  /** @param sink receives the events instead of the shared buffer */
  createTranscoder(input: RunInput, profile: RelayProfile, sink?: EventSink<object>): Transcoder;
  /** Calls `onTimeout` once a run that starts now has taken too long. */
  watchDuration(onTimeout: () => void): ActivityTimeout;
  /** `provider` is the provider that was asked last, if there are several. */
  onFailure(failure: RunFailure, requestId: string | undefined, provider: AskedProvider | undefined): void;
  onSuccess(provider: AskedProvider | undefined): void;
  onWarnings(warnings: readonly RunWarning[], requestId: string | undefined): void;
  onAnswerWarnings(warnings: readonly RunWarning[], requestId: string | undefined): void;
}

export interface RunStart {
  profile: RelayProfile;
  /** Sent to the provider in addition to the relay's own headers. */
  headers?: ProviderRequest["headers"];
  /** Request the provider's token count, whatever the profile. */
  asksUsage?: boolean | undefined;
  /** Warnings about parts of the input that were already left out. */
  warnings?: readonly RunWarning[] | undefined;
}

/** Cost of a run so far. */
export interface RunSpending {
  /** The provider's count, if it sent one. */
  readonly usage: TokenUsage | undefined;
  /** At least one token per frame of the answer. */
  readonly tokens: number;
}

/** Destination of a run's events. */
export interface RunOutput {
  readonly requestId: string | undefined;
  /** Assigns ids to the events, and writes them to the shared buffer. */
  readonly sink?: EventSink<object> | undefined;
  /** Called if there are several providers, with the one that answers or, if none does, the last one asked. */
  answeredBy(provider: AskedProvider): void;
  /** Sends the buffered events. Returns false when the run should pause until `Run.resume` is called. */
  write(events: EventBuffer): boolean;
  /** Sends the buffered events, if any, and ends the response. */
  end(events: EventBuffer, result: RunSpending & { failure: RunFailure | undefined }): void;
  /** Closes the response at once, because writing to it failed. */
  abort(failure: RunFailure): void;
}

/**
 * One run: sends the request to the provider, and writes the events of its answer as they arrive. Once the run has ended, calls have no
 * effect.
 */
export class Run implements SwapRemoveItem, StreamHandler {
  index = -1;
  readonly #context: RunContext;
  readonly #output: RunOutput;
  readonly #transcoder: Transcoder;
  readonly #duration: ActivityTimeout;
  #stream: ProviderStream | undefined;
  #hasEnded = false;
  /** The provider that answers or was asked last, if there are several. */
  #provider: AskedProvider | undefined;
  /** Warnings that haven't been reported yet. */
  readonly #warnings: RunWarning[] = [];
  #reportedWarnings: readonly RunWarning[] = [];

  constructor(input: RunInput, profile: RelayProfile, output: RunOutput, context: RunContext) {
    this.#context = context;
    this.#output = output;
    this.#transcoder = context.createTranscoder(input, profile, output.sink);
    this.#duration = context.watchDuration(() => this.fail(failures.tooLong));
  }

  start(input: RunInput, { profile, headers, asksUsage, warnings = [] }: RunStart): void {
    this.#step(() => {
      this.#transcoder.start();
      this.#warnings.push(...warnings);
      const { provider, model, identity } = this.#context;
      const onWarning = (warning: RunWarning) => void this.#warnings.push(warning);
      // Throws if the input is nested too deeply to be serialised.
      const buildRequest = (forModel: string, forIdentity: ModelIdentity): ProviderRequest => {
        const about = { model: forModel, identity: forIdentity, profile, asksUsage, onWarning };
        const request = buildProviderRequest(input, about);
        return headers ? { ...request, headers } : request;
      };
      const request = buildRequest(model, identity);
      this.#sendWarnings();
      // The function keeps the input in memory, so it exists only if the relay has fallbacks.
      const { requestId } = this.#output;
      const forProvider = (asked: AskedProvider) => buildRequest(asked.model, identifyModel(asked.name));
      const asked = provider.hasFallbacks ? { ...request, requestId, forProvider } : request;
      this.#stream = provider.openCompletion(asked, this);
    });
  }

  get hasFinished(): boolean {
    return this.#transcoder.hasFinishReason;
  }

  onHead(_head: unknown, provider?: AskedProvider): void {
    if (this.#hasEnded) return;
    if (provider) {
      this.#setProvider(provider);
      this.#transcoder.model = identifyModel(provider.name);
    }
    // The provider may have refused a part of the request before it accepted the rest.
    if (this.#warnings.length > 0) this.#step(() => this.#sendWarnings());
  }

  #setProvider(provider: AskedProvider): void {
    this.#provider = provider;
    this.#output.answeredBy(provider);
  }

  onBytes(bytes: Buffer, start: number, end: number): void {
    if (!this.#hasEnded) this.#transcoder.push(bytes, start, end);
  }

  /** Sends all events of one provider read in one write. */
  onReadEnd(): void {
    this.#flush();
  }

  onEnd(): void {
    this.#step(() => this.#transcoder.end());
  }

  onFailure(error: ProviderError, provider?: AskedProvider): void {
    if (provider && !this.#hasEnded) this.#setProvider(provider);
    this.#step(() => this.#transcoder.end(toProviderFailure(error)));
  }

  get spending(): RunSpending {
    return this.#transcoder;
  }

  /** Called when the output can take more data. */
  resume(): void {
    this.#stream?.resume();
  }

  /** Called when the client is gone. */
  abandon(): void {
    if (this.#hasEnded) return;
    this.#stop();
    this.#stream?.abort();
  }

  fail(failure: RunFailure): void {
    this.#step(() => this.#transcoder.fail(failure));
  }

  #sendWarnings(): void {
    const isNew = ({ code, pointer }: RunWarning) =>
      this.#reportedWarnings.every((reported) => reported.code !== code || reported.pointer !== pointer);
    const warnings = this.#warnings
      .splice(0)
      .filter(isNew)
      .slice(0, limits.runWarnings - this.#reportedWarnings.length);
    if (warnings.length === 0) return;
    this.#reportedWarnings = [...this.#reportedWarnings, ...warnings];
    for (const warning of warnings) this.#transcoder.warn(warning);
    this.#context.onWarnings(warnings, this.#output.requestId);
  }

  #step(work: () => void): void {
    if (this.#hasEnded) return;
    try {
      work();
    } catch (error) {
      this.#transcoder.fail(toInternalFailure(error));
    }
    this.#flush();
  }

  /** Sends the events that the transcoder wrote. Must happen before another run writes, because all runs share one buffer. */
  #flush(): void {
    if (this.#hasEnded) return;
    const { events } = this.#context;
    try {
      if (!this.#transcoder.hasEnded) {
        if (!events.isEmpty && !this.#output.write(events)) this.#stream?.pause();
        return;
      }
      this.#stop();
      const { failure, warnings } = this.#transcoder;
      if (warnings.length > 0) this.#context.onAnswerWarnings(warnings, this.#output.requestId);
      if (failure) {
        this.#context.onFailure(failure, this.#output.requestId, this.#provider);
        this.#stream?.abort();
      } else {
        this.#context.onSuccess(this.#provider);
        this.#stream?.release();
      }
      this.#output.end(events, this.#transcoder);
    } catch (error) {
      this.#stop();
      events.clear();
      const failure = toInternalFailure(error);
      this.#context.onFailure(failure, this.#output.requestId, this.#provider);
      this.#stream?.abort();
      this.#output.abort(failure);
    }
  }

  #stop(): void {
    this.#hasEnded = true;
    this.#duration.stop();
  }
}
