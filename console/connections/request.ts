import { parseObject } from "../json.ts";
import type { Frame } from "./frames.ts";
import { NdjsonReader, SseReader } from "./frames.ts";

/** A request that failed. The message is for the user. */
export class ServiceError extends Error {
  override readonly name = "ServiceError";
  constructor(
    message: string,
    /** HTTP status. Undefined if no response arrived. */
    readonly status?: number,
  ) {
    super(message);
  }
}

/** A problem document (RFC 9457) of one of our services. */
interface Problem {
  /** The last part of its type. Undefined for types that are not ours. */
  name: string | undefined;
  detail: string;
  errors: { pointer: string; detail: string }[];
}

export function parseProblem(text: string): Problem | undefined {
  const { type, detail, errors } = parseObject(text) ?? {};
  if (typeof detail !== "string") return undefined;
  const [, name] = /^urn:agent-backends:problem:(.+)$/.exec(String(type)) ?? [];
  const listed = Array.isArray(errors) ? errors : [];
  const valid = listed.filter((error) => typeof error?.pointer === "string" && typeof error?.detail === "string");
  return { name, detail, errors: valid };
}

/** Maximum number of invalid fields that an error message names. */
const maxNamedFields = 3;

/** The error for a failed response: the detail of its problem document, and the invalid fields that the detail leaves out. */
export function toServiceError(status: number, body: string): ServiceError {
  const problem = parseProblem(body);
  if (!problem) return new ServiceError(`The service answered with status ${status}.`, status);
  const fields = problem.errors
    .filter(({ detail }) => !problem.detail.includes(detail))
    .slice(0, maxNamedFields)
    .map(({ pointer, detail }) => `${pointer} ${detail}`);
  const hint = status === 401 ? ["Enter a key in Status, under “Change”."] : [];
  return new ServiceError([problem.detail, ...fields, ...hint].join("\n"), status);
}

/** The error for a request that got no response. */
export function unreachable(url: string): ServiceError {
  const { origin } = new URL(url);
  return new ServiceError(
    `Nothing answers at ${origin}. Check that the service runs, that the address in Status is right, and that the service permits requests from this page.`,
  );
}

/** The error for a stream that ended without its end event. */
export function brokenOff(): Error {
  return new Error("The stream ended before the answer was complete. What has arrived is shown; try again.");
}

/** @throws ServiceError if the service can't be reached; the signal's reason if it aborts */
async function send(url: string, init: RequestInit): Promise<Response> {
  return fetch(url, init).catch((error: unknown) => {
    init.signal?.throwIfAborted();
    // fetch rejects with a TypeError when it gets no response that the page may read.
    throw error instanceof TypeError ? unreachable(url) : error;
  });
}

async function readError(response: Response): Promise<ServiceError> {
  return toServiceError(response.status, await response.text().catch(() => ""));
}

/** The parts of a JSON request. */
export function jsonBody(body: object, headers: Record<string, string>): RequestInit {
  return { method: "POST", headers: { "Content-Type": "application/json", ...headers }, body: JSON.stringify(body) };
}

/**
 * Requests JSON.
 *
 * @param accept statuses besides 2xx whose body is returned
 * @returns the body, or undefined with status 204
 * @throws ServiceError when the service refuses or can't be reached
 */
export async function requestJson<Body>(
  url: string,
  init: RequestInit = {},
  accept: readonly number[] = [],
): Promise<Body> {
  const response = await send(url, init);
  if (!response.ok && !accept.includes(response.status)) throw await readError(response);
  return (response.status === 204 ? undefined : await response.json()) as Body;
}

/** A request whose response is a stream of events. */
export interface StreamRequest {
  url: string;
  headers: Record<string, string>;
  /** Sent as JSON with POST. Without a body the request is a GET. */
  body?: object;
}

/**
 * Sends a request and yields the frames of its response as they arrive. The content type tells SSE from NDJSON.
 *
 * @param options.onResponse called when the response's headers have arrived
 * @throws ServiceError when the service refuses or can't be reached; an Error when the connection breaks
 * @throws the signal's reason when it aborts
 */
export async function* openStream(
  { url, headers, body }: StreamRequest,
  { signal, onResponse }: { signal: AbortSignal; onResponse?: (response: Response) => void },
): AsyncGenerator<Frame, void, undefined> {
  const response = await send(url, { ...(body ? jsonBody(body, headers) : { headers }), signal });
  onResponse?.(response);
  if (!response.ok || !response.body) throw await readError(response);
  const isSse = /\btext\/event-stream\b/i.test(response.headers.get("content-type") ?? "");
  const frames = isSse ? new SseReader() : new NdjsonReader();
  const text = response.body.pipeThrough(new TextDecoderStream()).getReader();
  try {
    for (;;) {
      const { done, value } = await text.read();
      if (done) break;
      yield* frames.push(value);
    }
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof TypeError ? brokenOff() : error;
  } finally {
    await text.cancel().catch(() => undefined);
  }
  yield* frames.end();
}
