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
    return this.tool("top", request, options);
  }

  /** Returns the launches of a timeframe such as `yesterday` or `last week`. */
  topTimeframe(request: wire.TopTimeframeRequest, options?: RequestOptions): Promise<wire.TopTimeframePayload> {
    return this.tool("top_timeframe", request, options);
  }

  search(request: wire.LaunchSearchRequest, options?: RequestOptions): Promise<wire.SearchPayload> {
    return this.tool("search", request, options);
  }

  /** Returns the parameters of a confetti animation. */
  confetti(request: wire.ConfettiRequest = {}, options?: RequestOptions): Promise<wire.ConfettiPayload> {
    return this.tool("confetti", request, options);
  }

  /** Calls any tool by the name of its action. */
  tool<Name extends keyof wire.ListingTools>(
    name: Name,
    request: wire.ListingTools[Name]["request"],
    options?: RequestOptions,
  ): Promise<wire.ListingTools[Name]["payload"]> {
    return this.#http.json(tool(name, request), options);
  }

  health(options?: RequestOptions): Promise<{ status: "ok"; agent_initialized: boolean }> {
    return this.#http.json(get("/health"), options);
  }

  /** @throws ProblemError with status 503 while the service can't do its work */
  ready(options?: RequestOptions): Promise<Readiness> {
    return this.#http.json(get("/ready"), { maxAttempts: 1, ...options });
  }
}
