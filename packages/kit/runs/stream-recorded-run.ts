import type { ServerResponse } from "node:http";
import { limits } from "@agent-backends/contract";
import type { Lifecycle } from "../lifecycle.ts";
import { StreamedBody } from "../streams/streamed-body.ts";
import type { EventBuffer } from "./event-buffer.ts";
import type { RecordedClient, Recording } from "./recording.ts";
import type { ShownFailure } from "./run-errors.ts";

/** Aborts a run at a client's request, or because nobody reads it. */
export class RunEndedError extends Error {
  override readonly name = "RunEndedError";
  readonly failure: ShownFailure;
  constructor(failure: ShownFailure) {
    super(failure.message);
    this.failure = failure;
  }
}

type StreamOptions = Omit<ConstructorParameters<typeof StreamedBody>[1], "format">;

/**
 * Responds with the events of a run, each once it is recorded. The run continues after its client leaves, for as long as the recording
 * needs it.
 *
 * @param options.produce yields the events. Once its signal aborts, it has to yield the last one.
 */
export async function streamRecordedRun(
  response: ServerResponse,
  recording: Recording,
  {
    events,
    lifecycle,
    produce,
    ...stream
  }: StreamOptions & {
    events: EventBuffer;
    lifecycle: Lifecycle;
    produce(signal: AbortSignal): AsyncIterable<{ type: string }>;
  },
): Promise<void> {
  const ended = new AbortController();
  const signal = AbortSignal.any([ended.signal, lifecycle.graceEnded]);
  let wake: (() => void) | undefined;
  const resume = () => wake?.();
  signal.addEventListener("abort", resume);
  recording.attach({ fail: (failure) => ended.abort(new RunEndedError(failure)), resume });

  const body = new StreamedBody(response, { format: "sse", ...stream });
  let isClosed = false;
  body.listener = {
    onDrain() {
      recording.noteBacklog(0);
      resume();
    },
    onClose() {
      isClosed = true;
      recording.clientLeft();
      resume();
    },
  };
  if (response.destroyed) body.listener.onClose();

  const client: RecordedClient = {
    deliver(data, isLast) {
      if (isClosed) return;
      if (isLast) body.endFramed(data);
      else body.writeFramed(data);
    },
  };
  const pause = async () => {
    // The client reads nothing, and too much data waits for it.
    const timer = setTimeout(() => response.destroy(), limits.answerMs).unref();
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
    clearTimeout(timer);
  };
  try {
    for await (const event of produce(signal)) {
      const isLast = event.type === "RUN_FINISHED" || event.type === "RUN_ERROR";
      recording.event(event);
      const data = body.isChunked ? events.takeChunk(isLast) : events.take();
      const isStored = recording.append(data, isLast, client);
      const isRead = recording.noteBacklog(body.isFull && !isClosed ? body.unreadBytes : 0);
      if (!isLast && !signal.aborted && !(isStored && isRead)) await pause();
    }
  } catch (error) {
    events.clear();
    recording.discard();
    response.destroy();
    throw error;
  } finally {
    // A combined signal with listeners is never garbage collected.
    signal.removeEventListener("abort", resume);
  }
}
