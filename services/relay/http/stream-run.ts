import type { ServerResponse } from "node:http";
import type { RelayProfile, RunInput, TokenUsage } from "@agent-backends/contract";
import type { ProviderCall, RequestRecord } from "@agent-backends/kit";
import { recordOf, StreamedBody, streamHeaders } from "@agent-backends/kit";
import type { Watched } from "@agent-backends/kit/timeouts";
import type { EventBuffer } from "../core/event-buffer.ts";
import type { RunFailure } from "../core/failures.ts";
import type { Relay } from "../core/relay.ts";
import type { Run, RunOutput } from "../core/run.ts";
import { probeBy } from "./half-closed.ts";
import type { ParsedRequest } from "./run-request.ts";
import { getProfile, readRunInput } from "./run-request.ts";

const heartbeatBytes = Buffer.from(": keep-alive\n\n");
const heartbeatChunk = Buffer.from("e\r\n: keep-alive\n\n\r\n");
const headers = Object.entries(streamHeaders("sse")).flat();

/**
 * Answers `POST /agent`. A client that reads slowly slows the provider down, a client that goes away ends the provider's
 * request, and a shutdown whose grace period is over ends the run with an error event.
 *
 * @throws ProblemError when the body is no run input, or the address names an unknown profile
 */
export async function answerRun(relay: Relay, request: ParsedRequest, response: ServerResponse): Promise<void> {
  if (relay.lifecycle.refuse(request, response)) return;
  const input = await readRunInput(request);
  const profile = getProfile(request);
  response.on("error", (error) => {
    relay.logger.error(
      { err: error, request_id: recordOf(request)?.id },
      "a stream could not be written; it is closed",
    );
  });
  new ResponseOutput(relay, response).start(input, profile);
}

/** Writes the events of a run to a response, and records what is observed of it. */
class ResponseOutput implements RunOutput {
  readonly #relay: Relay;
  readonly #response: ServerResponse;
  readonly #body: StreamedBody;
  readonly #record: RequestRecord | undefined;
  readonly #call: ProviderCall | undefined;
  #hasStarted = false;
  #heartbeat: Watched | undefined;
  #run: Run | undefined;

  constructor(relay: Relay, response: ServerResponse) {
    this.#relay = relay;
    this.#response = response;
    this.#record = recordOf(response.req);
    this.#call = this.#record?.callProvider("chat", relay.model);
    this.#body = new StreamedBody(response, headers);
  }

  get requestId(): string | undefined {
    return this.#record?.id;
  }

  start(input: RunInput, profile: RelayProfile | undefined): void {
    const response = this.#response;
    const { socket } = response;
    const beat = () => this.#beat();
    this.#heartbeat = this.#relay.heartbeats.watch(beat);
    probeBy(socket, beat);
    const run = this.#relay.start(input, this, { profile, headers: this.#call?.headers });
    this.#run = run;
    this.#body.onDrain = () => run.resume();
    response.on("close", () => {
      probeBy(socket, undefined);
      this.#closed();
    });
    if (response.destroyed) this.#closed();
  }

  write(events: EventBuffer): boolean {
    this.#heartbeat?.heard();
    // The first write is RUN_STARTED, before the provider has answered.
    if (this.#hasStarted) this.#call?.firstToken();
    this.#hasStarted = true;
    return this.#body.write(this.#body.framed ? events.takeChunk(false) : events.take());
  }

  end(
    events: EventBuffer,
    { failure, usage }: { failure: RunFailure | undefined; usage: TokenUsage | undefined },
  ): void {
    this.#heartbeat?.stop();
    if (usage) this.#call?.usage({ input: usage.inputTokens, output: usage.outputTokens });
    if (failure) this.#recordFailure(failure);
    else this.#call?.firstToken();
    this.#call?.ended();
    this.#body.end(this.#body.framed ? events.takeChunk(true) : events.take());
  }

  abort(failure: RunFailure): void {
    this.#recordFailure(failure);
    this.#response.destroy();
  }

  #recordFailure({ code, providerErrorKind: kind }: RunFailure): void {
    if (kind !== undefined) this.#call?.ended({ kind });
    else if (this.#record) this.#record.failure = code;
  }

  #beat(): void {
    // A client that doesn't read gets no heartbeats: they would only pile up.
    if (this.#body.full || this.#response.writableEnded || this.#response.destroyed) return;
    this.#body.write(this.#body.framed ? heartbeatChunk : heartbeatBytes);
  }

  #closed(): void {
    this.#heartbeat?.stop();
    this.#call?.ended();
    if (this.#run) this.#relay.remove(this.#run);
  }
}
