import { RunError } from "./errors.ts";
import type * as wire from "./generated/relay.ts";
import type { ClientOptions, HttpRequest, RequestOptions, StreamFormat, StreamOptions } from "./http-client.ts";
import { createId, HttpClient } from "./http-client.ts";
import type { Readiness } from "./readiness.ts";

export interface RunInput extends wire.RunInputFields {
  /** Generated if missing. */
  threadId?: string | undefined;
  runId?: string | undefined;
}

/** The events of each profile. */
export interface RelayEvents {
  contract: wire.ContractEvent;
  "ag-ui": wire.AgUiEvent;
  "ag-ui-0": wire.AgUi0Event;
}

export interface RunOptions<Profile extends wire.RelayProfile> extends StreamOptions {
  /** Which events the relay sends. Default: `contract`. */
  profile?: Profile | undefined;
}

export interface ResumeOptions<Profile extends wire.RelayProfile> extends StreamOptions {
  /** The profile with which the run was started. It only sets the type of the events. */
  profile?: Profile | undefined;
  /** The `id` of the last frame with one that you received. Without it, the run is read from its start. */
  lastEventId?: string | undefined;
}

/** The start of a run, as an `offset`. */
const beforeFirstEvent = "-1";

const readRun = (runId: string, offset: string): HttpRequest => ({
  method: "GET",
  path: "/agent",
  // Unlike the header Last-Event-ID, a query parameter needs no CORS permission.
  query: { runId, offset },
  isRepeatable: true,
});

type AnyEvent = { type: string; message?: string; code?: string };

const runFormat = <Event extends AnyEvent>(runId: string, startId?: string): StreamFormat<Event> => ({
  isLast: ({ type }) => type === "RUN_FINISHED",
  toError: ({ type, message, code }) =>
    type === "RUN_ERROR" ? new RunError(message ?? "The run failed.", code) : undefined,
  // Only a relay that stores runs sends ids.
  reconnect: (lastEventId = startId) => (lastEventId === undefined ? undefined : readRun(runId, lastEventId)),
});

/** Client for the relay, in either implementation. */
export class RelayClient {
  readonly #http: HttpClient;

  constructor(options: ClientOptions) {
    this.#http = new HttpClient(options);
  }

  /** Starts a run and streams its events. After a lost connection the run is resumed, if the relay stores runs. */
  stream<Profile extends wire.RelayProfile = "contract">(
    input: RunInput,
    { profile, ...options }: RunOptions<Profile> = {},
  ): AsyncGenerator<RelayEvents[Profile], void, undefined> {
    const runId = input.runId ?? createId();
    const body = { ...input, threadId: input.threadId ?? createId(), runId };
    const query = { profile: profile ?? "contract" };
    return this.#http.events({ method: "POST", path: "/agent", query, body }, runFormat(runId), options);
  }

  /** Streams the events of a run that was started earlier, from its start or after a given event. */
  resume<Profile extends wire.RelayProfile = "contract">(
    runId: string,
    { profile: _, lastEventId = beforeFirstEvent, ...options }: ResumeOptions<Profile> = {},
  ): AsyncGenerator<RelayEvents[Profile], void, undefined> {
    return this.#http.events(readRun(runId, lastEventId), runFormat(runId, lastEventId), options);
  }

  /** Stops a run. @returns false if there is no such run */
  stop(runId: string, options?: RequestOptions): Promise<boolean> {
    return this.#http.delete(`/agent/runs/${encodeURIComponent(runId)}`, {}, options);
  }

  /** Returns what the agent can do, as AG-UI's `AgentCapabilities`. */
  capabilities(options?: RequestOptions): Promise<Record<string, unknown>> {
    return this.#http.json({ method: "GET", path: "/agent/capabilities", isRepeatable: true }, options);
  }

  health(options?: RequestOptions): Promise<{ status: "ok"; timestamp: string }> {
    return this.#http.json({ method: "GET", path: "/health", isRepeatable: true }, options);
  }

  /** @throws ProblemError with status 503 while the service can't do its work */
  ready(options?: RequestOptions): Promise<Readiness> {
    return this.#http.json({ method: "GET", path: "/ready" }, { maxAttempts: 1, ...options });
  }
}
