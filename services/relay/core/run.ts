import type { RelayProfile, RunInput } from "@agent-backends/contract";
import type { CompletionStream, CompletionStreamHandler, ProviderError } from "@agent-backends/llm";
import type { EventBuffer } from "./event-buffer.ts";
import { failures, providerFailure } from "./failures.ts";
import { createProfile } from "./profiles/create-profile.ts";
import type { RunFailure } from "./profiles/profile.ts";
import { providerRequest } from "./provider-request.ts";
import { ToolCalls } from "./tool-calls.ts";
import { Transcoder } from "./transcoder.ts";

/** What runs need from outside. */
export interface RunDependencies {
  model: string;
  completions: { open(body: string, handler: CompletionStreamHandler): CompletionStream };
  events: EventBuffer;
  newId(): string;
  /** Says what a client may know of an error inside the provider's stream. */
  describeError(error: unknown): RunFailure;
  /** Takes how a run failed, for the log, with the error that made it fail where there was one. */
  report(failure: RunFailure, error: unknown): void;
}

/** Where a run's events go. */
export interface RunOutput {
  /** Returns false when nothing more should be written until `Run.drained` is called. */
  write(bytes: Buffer): boolean;
  end(): void;
}

/** A run on its way. Nothing happens to it any more once it has ended. */
export interface Run {
  /** The output can take more. */
  drained(): void;
  /** The client is gone: stops all work for it. */
  abandon(): void;
  /** Ends the run as failed. */
  fail(failure: RunFailure): void;
}

/** Answers a run input: asks the provider and writes the events of its answer as they come. */
export function startRun(input: RunInput, profileName: RelayProfile, output: RunOutput, needs: RunDependencies): Run {
  const { events, newId, report } = needs;
  const { threadId, runId } = input;
  const profile = createProfile(profileName, { threadId, runId, messageId: newId() }, events, newId);
  const toolCalls = new ToolCalls(profile, { newId, uniqueIds: profileName === "ag-ui" });
  const transcoder = new Transcoder(profile, toolCalls, needs.describeError);
  let stream: CompletionStream | undefined;
  let error: unknown;
  let over = false;

  function flush(): void {
    const bytes = events.take();
    const goOn = bytes === undefined || output.write(bytes);
    if (!transcoder.ended) {
      if (!goOn) stream?.pause();
      return;
    }
    over = true;
    if (transcoder.failure) {
      report(transcoder.failure, error);
      stream?.abort();
    } else {
      stream?.release();
    }
    output.end();
  }

  function step(work: () => void): void {
    if (over) return;
    try {
      work();
    } catch (thrown) {
      error = thrown;
      transcoder.fail(failures.internal);
    }
    try {
      flush();
    } catch (thrown) {
      over = true;
      report(failures.internal, thrown);
      stream?.abort();
      output.end();
    }
  }

  const requestBody = () => JSON.stringify(providerRequest(input, { model: needs.model, profile: profileName }));

  step(() => profile.started());
  if (!over)
    stream = needs.completions.open(requestBody(), {
      onBytes: (chunks) =>
        step(() => {
          for (const chunk of chunks) transcoder.push(chunk);
        }),
      onEnd: () => step(() => transcoder.end()),
      onFailure(failure: ProviderError) {
        error = failure;
        step(() => transcoder.end(providerFailure(failure)));
      },
    });

  return {
    drained: () => stream?.resume(),
    abandon() {
      over = true;
      stream?.abort();
    },
    fail: (failure) => step(() => transcoder.fail(failure)),
  };
}
