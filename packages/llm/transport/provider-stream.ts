import type { TimeoutWatch } from "@agent-backends/kit/timeouts";
import type { ProviderError } from "../errors/provider-error.ts";
import type { LargeJson } from "./large-json.ts";
import type { ResponseHead } from "./response-head.ts";

/** One of several providers that a request can go to. */
export interface AskedProvider {
  /** Host and model. Contains no key and no path. */
  readonly name: string;
  readonly model: string;
  /** Records that the provider has answered. */
  succeeded(): void;
  /** Records that the provider couldn't answer. */
  failed(error: unknown): void;
}

/** Receives a response. The last call is either `onEnd` or `onFailure`, unless the stream is aborted or released. */
export interface StreamHandler {
  /**
   * Whether the answer has begun, for a handler that waits for more than its first bytes. It never goes back to false.
   * Until then the timeout for the first bytes applies.
   */
  readonly hasBegun?: boolean;
  /** Whether the answer is complete. A provider that then falls silent counts as done. It never goes back to false. */
  readonly hasFinished?: boolean;
  /** @param provider the provider that answers, if there are several */
  onHead?(head: ResponseHead, provider?: AskedProvider): void;
  /** Receives bytes of the body, `bytes[start, end)`. The buffer is reused: copy everything that should outlive the call. */
  onBytes(bytes: Buffer, start: number, end: number): void;
  /** Called when all bytes of one socket read have been passed to `onBytes`. */
  onReadEnd(): void;
  /** Called when the body is complete as far as HTTP can tell, or when `hasFinished` was true and the provider stayed silent. */
  onEnd(): void;
  /**
   * Called when the provider couldn't be reached, refused, sent an unexpected response, fell silent or broke off.
   *
   * @param provider the provider that was asked last, if there are several
   */
  onFailure(error: ProviderError, provider?: AskedProvider): void;
}

/** A response in progress. */
export interface ProviderStream {
  /** Stops reading from the socket, so that the provider has to wait. Bytes already read may still be passed on. */
  pause(): void;
  resume(): void;
  /** Closes the connection at once. The handler is not called again. */
  abort(): void;
  /** Ignores the rest, but gives the provider a moment to finish, so that the connection can be reused. */
  release(): void;
}

/** Bytes, in pieces, that must stay unchanged until `onWritten` is called. */
export interface LentBytes {
  pieces: readonly Uint8Array[];
  onWritten(): void;
}

export interface BodyBytes {
  readonly length: number;
  lend(): LentBytes;
}

export interface BodyFallback {
  /** Matches the errors of a provider that refuses a part of the body. */
  refused: RegExp;
  /** Builds the body without that part, and without the parts of the fallbacks used before. */
  body(): string | LargeJson;
  /**
   * Whether the refusal depends only on the provider, not on the contents of this request. Once the provider has accepted such a fallback,
   * later requests with the same pattern send it first.
   */
  isLearned: boolean;
}

export interface ProviderRequest {
  /** JSON, as a string, as UTF-8 bytes, or to be encoded later. A GET has no body. */
  body?: string | LargeJson | BodyBytes;
  /** Sent in addition to the provider's own headers, for example a trace context. Must be valid header names and values. */
  headers?: Readonly<Record<string, string>> | undefined;
  /**
   * Alternative bodies without parts that the provider may refuse. The first one whose pattern matches the refusal is sent, each at most
   * once.
   */
  bodyFallbacks?: readonly BodyFallback[];
  /** Id of the client's request, for the log. */
  requestId?: string | undefined;
  /** Builds the same request for another provider. */
  forProvider?: (provider: AskedProvider) => ProviderRequest;
}

/** Time limits for a provider while another one can be asked. */
export interface WaitLimits {
  /** Timeout for the head of the response. */
  head: TimeoutWatch;
  /** Total delay before further attempts. */
  retryWaitMs: number;
}
