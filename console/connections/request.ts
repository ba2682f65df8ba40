import type { Frame } from "./frames.ts";
import { createNdjsonReader, createSseReader } from "./frames.ts";

/** What a service, or the way to it, answered instead of what was asked for. The message is for the user. */
export class ServiceError extends Error {
  override readonly name = "ServiceError";
  constructor(
    message: string,
    /** HTTP status; absent where no answer came at all. */
    readonly status?: number,
  ) {
    super(message);
  }
}

const fieldsShown = 3;

/** Words a response that is no success as its service does: by the detail of its problem (RFC 9457). */
export async function errorOfResponse(response: Response): Promise<ServiceError> {
  const text = await response.text().catch(() => "");
  const problem = parseProblem(text);
  if (!problem) return new ServiceError(`The service answered with status ${response.status}.`, response.status);
  const fields = problem.errors.slice(0, fieldsShown).map(({ pointer, detail }) => `${pointer} ${detail}`);
  const hint = response.status === 401 ? ["Keys are given in Status, beside the service's address."] : [];
  return new ServiceError([problem.detail, ...fields, ...hint].join("\n"), response.status);
}

/** The error for a request that got no answer. */
export function unreachable(url: string): ServiceError {
  const { origin } = new URL(url);
  return new ServiceError(
    `Nothing answers at ${origin}. Check that the service runs, that the address in Status is right, and that the service permits requests from this page.`,
  );
}

function parseProblem(text: string): { detail: string; errors: { pointer: string; detail: string }[] } | undefined {
  try {
    const { detail, errors } = JSON.parse(text) as { detail?: unknown; errors?: unknown };
    if (typeof detail !== "string") return undefined;
    const listed = Array.isArray(errors) ? errors : [];
    return {
      detail,
      errors: listed.filter((error) => typeof error?.pointer === "string" && typeof error?.detail === "string"),
    };
  } catch {
    return undefined;
  }
}

/**
 * Asks a service for JSON.
 *
 * @returns the answer's body; `undefined` where it has none. `accept` names further statuses whose body is wanted.
 * @throws ServiceError when the service refuses or can't be reached
 */
export async function requestJson<Answer>(
  url: string,
  init: RequestInit = {},
  accept: readonly number[] = [],
): Promise<Answer> {
  const response = await fetch(url, init).catch((error: unknown) => {
    init.signal?.throwIfAborted();
    throw error instanceof TypeError ? unreachable(url) : error;
  });
  if (!response.ok && !accept.includes(response.status)) throw await errorOfResponse(response);
  return (response.status === 204 ? undefined : await response.json()) as Answer;
}

/** A request body of JSON, with its headers. */
export function jsonBody(body: object, headers: Record<string, string>): RequestInit {
  return { method: "POST", headers: { "Content-Type": "application/json", ...headers }, body: JSON.stringify(body) };
}

/** A request whose answer is a stream. */
export interface StreamRequest {
  url: string;
  headers: Record<string, string>;
  /** Sent as JSON by POST; without one it is a GET. */
  body?: object;
}

/**
 * Sends a request and gives the frames of its answer as they come. What the stream is made of is told by its content type.
 *
 * @param options.onResponse called once the head of the answer is there
 * @throws ServiceError when the service refuses or can't be reached, or the connection breaks
 * @throws the signal's reason when it aborts
 */
export async function* openStream(
  request: StreamRequest,
  options: { signal: AbortSignal; onResponse?: (response: Response) => void },
): AsyncGenerator<Frame, void, undefined> {
  const { signal } = options;
  const response = await fetch(request.url, {
    ...(request.body ? jsonBody(request.body, request.headers) : { headers: request.headers }),
    signal,
  }).catch((error: unknown) => {
    signal.throwIfAborted();
    throw error instanceof TypeError ? unreachable(request.url) : error;
  });
  options.onResponse?.(response);
  if (!response.ok || !response.body) throw await errorOfResponse(response);
  const isSse = /\btext\/event-stream\b/i.test(response.headers.get("content-type") ?? "");
  const frames = isSse ? createSseReader() : createNdjsonReader();
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

/** The error for a stream that ended before it said so. */
export function brokenOff(): Error {
  return new Error("The stream broke off before its end. What came until then is shown; try again.");
}
