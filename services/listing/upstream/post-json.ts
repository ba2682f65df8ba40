import type { UnavailableReason } from "@agent-backends/contract";
import type { FindProxy, ForwardProxy } from "@agent-backends/kit/egress";
import { ProxyError } from "@agent-backends/kit/egress";
import { tryParseJson } from "@agent-backends/llm";

const maxResponseBytes = 4 * 1024 * 1024;
const maxConnections = 16;

/** An upstream sent no usable response. The message goes to the log, so it never contains a key or the response's body. */
export class UpstreamError extends Error {
  override readonly name = "UpstreamError";
  readonly reason: UnavailableReason;
  /** When the upstream accepts requests again, in milliseconds since the epoch, if it said so. */
  readonly retryAt?: number;

  constructor(reason: UnavailableReason, message: string, options: { cause?: unknown; retryAt?: number } = {}) {
    super(message, options);
    this.reason = reason;
    if (options.retryAt !== undefined) this.retryAt = options.retryAt;
  }
}

/** An upstream's response. `json` is undefined if the body isn't JSON. */
export interface JsonAnswer {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  json: unknown;
}

/** Posts JSON and reads the response, whatever its status. Doesn't follow redirects. */
export type PostJson = (
  url: string,
  options: { headers: Record<string, string>; body: object; timeoutMs: number; signal?: AbortSignal },
) => Promise<JsonAnswer>;

/**
 * Creates a connection pool for upstreams, with responses of at most 4 MiB. Calls throw an UpstreamError (`unreachable`, `timed_out`,
 * `invalid_answer`), or the signal's reason once it aborts. The first call loads undici, which would take a twentieth of the start.
 */
export function createPostJson(findProxy: FindProxy): { postJson: PostJson; close(): Promise<void> } {
  const open = async () => {
    const { createDispatcher } = await import("@agent-backends/kit/egress/dispatcher");
    const { request } = await import("undici");
    const limits = { connections: maxConnections, maxResponseSize: maxResponseBytes };
    return { request, dispatcher: createDispatcher(findProxy, limits) };
  };
  let pool: ReturnType<typeof open> | undefined;

  const postJson: PostJson = async (url, { headers, body, timeoutMs, signal }) => {
    pool ??= open();
    const { request, dispatcher } = await pool;
    const deadline = AbortSignal.timeout(timeoutMs);
    try {
      const answer = await request(url, {
        method: "POST",
        headers: { "content-type": "application/json", accept: "application/json", ...headers },
        body: JSON.stringify(body),
        signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
        dispatcher,
      });
      return { status: answer.statusCode, headers: answer.headers, json: tryParseJson(await answer.body.text()) };
    } catch (error) {
      signal?.throwIfAborted();
      if (deadline.aborted) throw new UpstreamError("timed_out", `no answer within ${timeoutMs} ms`);
      throw toUpstreamError(error, findProxy(new URL(url)));
    }
  };

  return { postJson, close: async () => (await pool)?.dispatcher.destroy() };
}

function toUpstreamError(error: unknown, proxy: ForwardProxy | undefined): UpstreamError {
  if (error instanceof ProxyError) return new UpstreamError("unreachable", error.message, { cause: error });
  const code = error instanceof Error && "code" in error ? String(error.code) : "unknown error";
  if (code === "UND_ERR_RES_EXCEEDED_MAX_SIZE") {
    return new UpstreamError("invalid_answer", `the answer is over ${maxResponseBytes} bytes`);
  }
  const through = proxy ? ` through the proxy ${proxy}` : "";
  return new UpstreamError("unreachable", `no connection${through} (${code})`, { cause: error });
}
