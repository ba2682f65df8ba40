import type { ProviderStream, StreamHandler } from "./provider-stream.ts";
import type { ResponseHead } from "./response-head.ts";
import { ReusedBytes } from "./reused-bytes.ts";

/** A complete response. The receiver releases `body`. */
export interface ReceivedResponse {
  head: ResponseHead;
  /** Undefined if it is larger than the limit. */
  body: ReusedBytes | undefined;
}

/**
 * Opens a stream and collects its whole body.
 *
 * @throws ProviderError, and the signal's reason once it is aborted
 */
export async function receiveBody(
  open: (handler: StreamHandler) => ProviderStream,
  { signal, maxBytes }: { signal: AbortSignal; maxBytes: number },
): Promise<ReceivedResponse> {
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<ReceivedResponse>();
  const body = new ReusedBytes();
  let head!: ResponseHead;
  const stream = open({
    onHead: (received) => {
      head = received;
      const { framing } = received;
      if (framing.kind === "length" && framing.bytes <= maxBytes) body.reserve(framing.bytes);
    },
    onBytes(bytes, start, end) {
      if (body.length + end - start <= maxBytes) return body.add(bytes, start, end);
      stream.abort();
      body.release();
      resolve({ head, body: undefined });
    },
    onReadEnd: () => undefined,
    onEnd: () => resolve({ head, body }),
    onFailure: reject,
  });
  const abort = () => {
    stream.abort();
    reject(signal.reason);
  };
  signal.addEventListener("abort", abort, { once: true });
  try {
    return await promise;
  } catch (error) {
    body.release();
    throw error;
  } finally {
    signal.removeEventListener("abort", abort);
  }
}
