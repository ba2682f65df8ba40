import { ProviderError } from "../errors/provider-error.ts";
import { tryParseJson } from "../json.ts";
import type { Provider } from "../provider.ts";
import type { BodyBytes } from "../transport/provider-stream.ts";
import { receiveBody } from "../transport/receive-body.ts";

/**
 * Posts JSON to a single-purpose server, and returns the JSON of its response.
 *
 * @throws ProviderError; the signal's reason once it is aborted
 */
export async function postJson(
  provider: Provider,
  body: string | BodyBytes,
  limits: { signal: AbortSignal; maxBytes: number },
): Promise<unknown> {
  const { body: response } = await receiveBody((handler) => provider.openPost({ body }, handler), limits);
  if (!response) throw new ProviderError("invalid", `The answer has more than ${limits.maxBytes} bytes.`);
  try {
    return tryParseJson(Buffer.from(response.bytes()).toString("utf8"));
  } finally {
    response.release();
  }
}
