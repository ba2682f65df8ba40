import { RunError } from "./errors.ts";
import type * as wire from "./generated/listing.ts";
import type { ClientOptions, HttpRequest, RequestOptions, StreamOptions } from "./http-client.ts";
import { HttpClient } from "./http-client.ts";
import type { Readiness } from "./readiness.ts";

const agentStream = {
  endMark: "[DONE]",
  toError: (event: wire.ListingEvent) => (event.type === "error" ? new RunError(event.message) : undefined),
};

const tool = (name: string, body: object): HttpRequest => ({
  method: "POST",
  path: `/tools/${name}`,
  body,
  isRepeatable: true,
});
const get = (path: string): HttpRequest => ({ method: "GET", path, isRepeatable: true });

export class ListingClient {
  readonly #http: HttpClient;

  constructor(options: ClientOptions) {
    this.#http = new HttpClient(options);
  }

  /** Streams an answer to the last user message: tool calls with their results, and text. */
  stream(
    request: wire.ListingAgentRequest,
    options?: StreamOptions,
  ): AsyncGenerator<wire.ListingEvent, void, undefined> {
    return this.#http.events({ method: "POST", path: "/agent", body: request }, agentStream, options);
  }

  /** Returns the current leaders by votes. */
  top(request: wire.TopRequest = {}, options?: RequestOptions): Promise<wire.TopPayload> {
    return this.#http.json(tool("top", request), options);
  }

  /** Returns the launches of a timeframe such as `yesterday` or `last week`. */
  topTimeframe(request: wire.TopTimeframeRequest, options?: RequestOptions): Promise<wire.TopTimeframePayload> {
    return this.#http.json(tool("top_timeframe", request), options);
  }

  search(request: wire.LaunchSearchRequest, options?: RequestOptions): Promise<wire.SearchPayload> {
    return this.#http.json(tool("search", request), options);
  }

  /** Returns the parameters of a confetti animation. */
  confetti(request: wire.ConfettiRequest = {}, options?: RequestOptions): Promise<wire.ConfettiPayload> {
    return this.#http.json(tool("confetti", request), options);
  }

  health(options?: RequestOptions): Promise<{ status: "ok"; agent_initialized: boolean }> {
    return this.#http.json(get("/health"), options);
  }

  /** @throws ProblemError with status 503 while the service can't do its work */
  ready(options?: RequestOptions): Promise<Readiness> {
    return this.#http.json(get("/ready"), { maxAttempts: 1, ...options });
  }
}
