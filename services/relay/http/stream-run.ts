import type { ServerResponse } from "node:http";
import type { RelayProfile, RunInput } from "@agent-backends/contract";
import type { ProviderCall, RequestRecord } from "@agent-backends/kit";
import { recordOf, StreamedBody, streamHeaders } from "@agent-backends/kit";
import type { Watched } from "@agent-backends/kit/timeouts";
import type { EventBuffer } from "../core/event-buffer.ts";
import { failures, ownFailures } from "../core/failures.ts";
import type { RunFailure } from "../core/profiles/profile.ts";
import type { Relay } from "../core/relay.ts";
import type { Run, RunOutput, RunResult } from "../core/run.ts";
import { probeBy } from "./half-closed.ts";
import { getProfile } from "./profile.ts";

const heartbeatBytes = Buffer.from(": keep-alive\n\n");
const heartbeatChunk = Buffer.from("e\r\n: keep-alive\n\n\r\n");
const headers = Object.entries(streamHeaders("sse")).flat();

/**
 * Streams a run to a client. A client that reads slowly slows the provider down, one that goes away ends the provider's
 * request, and a shutdown whose grace is over ends the run with an error event.
 *
 * @throws ProblemError `invalid-input` when the address asks for a profile that there is not
 */
export function streamRun(relay: Relay, input: RunInput, response: ServerResponse): void {
  const { logger } = relay;
  const profile = getProfile(response.req);
  response.on("error", (error) => {
    const requestId = recordOf(response.req)?.id;
    logger.error({ err: error, request_id: requestId }, "a stream could not be written; it is closed");
  });
  new ResponseOutput(relay, response).start(input, profile);
}

/** A response that a run writes to. */
class ResponseOutput implements RunOutput {
  readonly #relay: Relay;
  readonly #response: ServerResponse;
  readonly #body: StreamedBody;
  #begun = false;
  #heartbeat: Watched | undefined;
  #run: Run | undefined;
  /** What is observed of the run, where the server is observed. */
  readonly #record: RequestRecord | undefined;
  readonly #call: ProviderCall | undefined;

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
    const beat = () => this.#beat();
    this.#heartbeat = this.#relay.heartbeats.watch(beat);
    const { socket } = response;
    probeBy(socket, beat);
    const run = this.#relay.start(input, this, { profile, headers: this.#call?.headers });
    this.#run = run;
    this.#body.onDrain = () => run.drained();
    response.on("close", () => {
      probeBy(socket, undefined);
      this.#closed();
    });
    if (response.destroyed) this.#closed();
  }

  write(events: EventBuffer): boolean {
    this.#heartbeat?.heard();
    if (this.#begun) this.#call?.firstToken();
    this.#begun = true;
    return this.#body.write(this.#body.framed ? events.takeChunk(false) : events.take());
  }

  end(events: EventBuffer, { failure, usage }: RunResult): void {
    this.#heartbeat?.stop();
    if (usage) this.#call?.usage({ input: usage.inputTokens, output: usage.outputTokens });
    if (failure) this.#failed(failure);
    else this.#call?.firstToken();
    this.#call?.ended();
    this.#body.end(this.#body.framed ? events.takeChunk(true) : events.take());
  }

  abort(): void {
    this.#failed(failures.internal);
    this.#response.destroy();
  }

  #failed(failure: RunFailure): void {
    if (ownFailures.has(failure)) {
      if (this.#record) this.#record.failure = failure.code;
      return;
    }
    const [, kind] = /^provider_(?!error$)(.*)/.exec(failure.code) ?? [];
    this.#call?.ended({ kind: kind ?? "stream_error" });
  }

  #beat(): void {
    // A client that does not read gets none: they would only pile up.
    if (this.#body.full || this.#response.writableEnded || this.#response.destroyed) return;
    this.#body.write(this.#body.framed ? heartbeatChunk : heartbeatBytes);
  }

  #closed(): void {
    this.#heartbeat?.stop();
    this.#call?.ended();
    if (this.#run) this.#relay.ended(this.#run);
  }
}
