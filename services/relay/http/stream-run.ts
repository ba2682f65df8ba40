import type { ServerResponse } from "node:http";
import type { RunInput } from "@agent-backends/contract";
import type { ProviderCall, RequestRecord, StreamListener } from "@agent-backends/kit";
import { getRecord, logIgnored, StreamedBody } from "@agent-backends/kit";
import type { TokenReservation } from "@agent-backends/kit/auth";
import { reserveTokens } from "@agent-backends/kit/auth";
import type { EventBuffer, RecordedClient, Recording } from "@agent-backends/kit/runs";
import { getLastEventId, getRunAddress, streamStoredRun } from "@agent-backends/kit/runs";
import type { AskedProvider } from "@agent-backends/llm";
import type { RunFailure } from "../core/failures.ts";
import type { Relay } from "../core/relay.ts";
import type { Run, RunOutput, RunSpending, RunStart } from "../core/run.ts";
import { setProbe } from "./half-closed.ts";
import type { ParsedRequest } from "./run-request.ts";
import { readRunRequest } from "./run-request.ts";
import { toRunHost } from "./stored-run.ts";

/**
 * Handles `POST /agent`. A client that reads slowly slows down the provider, a client that disconnects ends the provider's request, and the
 * end of the shutdown grace period ends the run with an error event.
 *
 * @throws ProblemError if the body isn't a run input, or the URL names an unknown profile
 */
export async function answerRun(relay: Relay, request: ParsedRequest, response: ServerResponse): Promise<void> {
  if (relay.lifecycle.refuse(request, response)) return;
  relay.lifecycle.countRequest(response);
  const { input, ...start } = await readRunRequest(request, relay);
  logIgnored(relay.logger, getRecord(request)?.id, input);
  // A client that reconnects repeats its request with this header.
  const host = getLastEventId(request) === undefined ? undefined : toRunHost(relay);
  if (host) {
    await streamStoredRun(host, request, response, input.runId);
    return;
  }
  const budget = reserveTokens(request, [input.messages, input.tools, input.context]);
  const reserved = budget && (await budget);
  let recording: Recording | undefined;
  try {
    const { runId } = input;
    // Clients that don't name their runs send an empty id each time, so it doesn't identify a run.
    if (runId !== "") recording = await relay.runs?.begin(request, runId, start.profile, getRunAddress(request, runId));
    new ResponseOutput(relay, response, reserved, recording).start(input, start);
  } catch (error) {
    recording?.discard();
    reserved?.settle();
    throw error;
  }
}

/** Writes the events of a run to a response, after they are stored if the run is recorded, and reports the run to the observability. */
class ResponseOutput implements RunOutput, StreamListener, RecordedClient {
  readonly #relay: Relay;
  readonly #response: ServerResponse;
  readonly #body: StreamedBody;
  readonly #record: RequestRecord | undefined;
  readonly #call: ProviderCall | undefined;
  readonly #budget: TokenReservation | undefined;
  readonly sink: Recording | undefined;
  #hasStarted = false;
  #hasSpending = false;
  #hasEnded = false;
  #isClosed = false;
  #run: Run | undefined;
  /** The response's socket, which the response releases when it ends. */
  #socket: ServerResponse["socket"] = null;

  constructor(
    relay: Relay,
    response: ServerResponse,
    budget: TokenReservation | undefined,
    recording: Recording | undefined,
  ) {
    this.sink = recording;
    this.#relay = relay;
    this.#budget = budget;
    for (const [name, value] of Object.entries(budget?.headers ?? {})) response.setHeader(name, value);
    this.#response = response;
    this.#record = getRecord(response.req);
    this.#call = this.#record?.callProvider("chat", relay.model);
    this.#body = new StreamedBody(response, {
      format: "sse",
      heartbeatMs: relay.heartbeatMs,
      namesProvider: relay.hasFallbacks,
      onError: (err) => {
        relay.logger.error({ err, request_id: this.requestId }, "a stream could not be written; it is closed");
      },
    });
  }

  get requestId(): string | undefined {
    return this.#record?.id;
  }

  answeredBy(provider: AskedProvider): void {
    this.#call?.answeredBy(provider);
    this.#body.setProvider(provider.name);
  }

  start(input: RunInput, start: Omit<RunStart, "headers">): void {
    const response = this.#response;
    this.#socket = response.socket;
    setProbe(this.#socket, () => this.#body.sendHeartbeat());
    const asksUsage = this.#budget !== undefined;
    const run = this.#relay.start(input, this, { ...start, asksUsage, headers: this.#call?.headers });
    this.#run = run;
    this.sink?.attach(run);
    this.#body.listener = this;
    if (response.destroyed) this.onClose();
  }

  write(events: EventBuffer): boolean {
    // The first write is RUN_STARTED, before the provider has answered.
    if (this.#hasStarted) this.#call?.firstToken();
    this.#hasStarted = true;
    // Copying each provider read takes a tenth of a burst's CPU time.
    const isLent = this.#body.isChunked && this.#body.canWriteImmediately;
    const data = isLent ? events.lendChunk() : this.#take(events, false);
    const mayGoOn = this.sink ? this.sink.append(data, false, this, isLent) : this.#body.writeFramed(data);
    if (isLent && this.#body.unreadBytes > 0) events.detach();
    if (this.sink === undefined) return mayGoOn;
    return this.sink.noteBacklog(this.#body.isFull && !this.#isClosed ? this.#body.unreadBytes : 0) && mayGoOn;
  }

  end(events: EventBuffer, result: RunSpending & { failure: RunFailure | undefined }): void {
    const { failure } = result;
    this.#recordSpending(result);
    if (failure) this.#recordFailure(failure);
    else this.#call?.firstToken();
    this.#call?.ended();
    this.#budget?.settle();
    this.#hasEnded = true;
    const data = this.#take(events, true);
    if (this.sink === undefined) {
      this.#body.endFramed(data);
      return;
    }
    this.sink.append(data, true, this);
    if (this.#isClosed) this.#remove();
  }

  abort(failure: RunFailure): void {
    this.#recordFailure(failure);
    this.#hasEnded = true;
    this.sink?.discard();
    this.#response.destroy();
  }

  #take(events: EventBuffer, isLast: boolean): Buffer {
    return this.#body.isChunked ? events.takeChunk(isLast) : events.take();
  }

  #recordFailure({ code, providerErrorKind: kind }: RunFailure): void {
    if (kind !== undefined) this.#call?.ended({ kind });
    else if (this.#record) this.#record.failure = code;
  }

  deliver(data: Buffer, isLast: boolean): void {
    if (this.#isClosed) return;
    if (isLast) this.#body.endFramed(data);
    else this.#body.writeFramed(data);
  }

  onDrain(): void {
    this.sink?.noteBacklog(0);
    this.#run?.resume();
  }

  onClose(): void {
    setProbe(this.#socket, undefined);
    this.#isClosed = true;
    this.sink?.clientLeft();
    // A recorded run may continue without its client.
    if (this.sink === undefined || this.#hasEnded) this.#remove();
  }

  #remove(): void {
    const run = this.#run;
    if (run) this.#recordSpending(run.spending);
    this.#call?.ended();
    this.#budget?.settle();
    if (run) this.#relay.remove(run);
  }

  #recordSpending({ usage, tokens }: RunSpending): void {
    if (this.#hasSpending) return;
    this.#hasSpending = true;
    if (usage) this.#call?.usage({ input: usage.inputTokens, output: usage.outputTokens });
    else this.#call?.uncounted(tokens);
  }
}
