import type { Frame } from "./frames.ts";
import { createNdjsonReader } from "./ndjson.ts";
import { jsonBody } from "./request-json.ts";
import { errorOfResponse, unreachable } from "./service-error.ts";
import { createSseReader } from "./sse.ts";

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
