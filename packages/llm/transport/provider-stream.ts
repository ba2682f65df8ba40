import type { TimeoutWatch } from "@agent-backends/kit/timeouts";
import type { ProviderError } from "../errors/provider-error.ts";
import type { LargeJson } from "./large-json.ts";
import type { ResponseHead } from "./response-head.ts";

/** One of several providers that a request can go to. */
export interface AskedProvider {
  /** Host and model. Holds no key and no path. */
  readonly name: string;
  readonly model: string;
  /** Call when it has answered. */
  succeeded(): void;
  /** Call when it could not answer. */
  failed(error: unknown): void;
}

/** Receives a response. The last call is either `onEnd` or `onFailure`, unless the stream is aborted or released. */
export interface StreamHandler {
  /**
   * Whether the answer has begun, for a handler that waits for more than its first bytes. It never goes back to false.
   * Until then the timeout for the first bytes applies.
   */
  readonly hasBegun?: boolean;
  /** Whether the answer is complete, so that a provider that now falls silent counts as done. It never goes back to false. */
  readonly hasFinished?: boolean;
  /** @param by who answers, if there are several providers */
  onHead?(head: ResponseHead, by?: AskedProvider): void;
  /** Bytes of the body, `bytes[start, end)`. The buffer is reused: copy what should outlive the call. */
  onBytes(bytes: Buffer, start: number, end: number): void;
  /** All bytes of one socket read were passed to `onBytes`. */
  onReadEnd(): void;
  /** The body is whole as far as HTTP can tell, or `hasFinished` was true and the provider stayed silent. */
  onEnd(): void;
  /**
   * The provider could not be reached, refused, sent something else than was asked for, fell silent or broke off.
   *
   * @param by the last one that was asked, if there are several providers
   */
  onFailure(error: ProviderError, by?: AskedProvider): void;
}

/** A response that is being received. */
export interface ProviderStream {
  /** Stops reading from the socket, so that the provider has to wait. Bytes already read may still be passed on. */
  pause(): void;
  resume(): void;
  /** Closes the connection at once. The handler is not called again. */
  abort(): void;
  /** Ignores the rest, but gives the provider a moment to finish, so that its connection can be used again. */
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
  /** The body without that part, and without the parts of the fallbacks that were used before. */
  body(): string | LargeJson;
  /**
   * Whether the refusal is about the provider, not about the contents of this request. Once the provider has accepted such a
   * fallback, later requests with the same pattern send it first.
   */
  isLearned: boolean;
}

export interface ProviderRequest {
  /** JSON, as text, in UTF-8, or yet to be written. A GET has none. */
  body?: string | LargeJson | BodyBytes;
  /** Sent beside the provider's own headers, for example a trace context. Must be valid header names and values. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** Bodies without what the provider may refuse. The first one that fits its refusal is sent, each at most once. */
  bodyFallbacks?: readonly BodyFallback[];
  /** The id of the client's request, for the log. */
  requestId?: string | undefined;
  /** The same request for another provider. */
  forProvider?: (provider: AskedProvider) => ProviderRequest;
}

/** How long to wait for a provider while another one can be asked. */
export interface Patience {
  /** For the head of its answer. */
  head: TimeoutWatch;
  /** In all, before further attempts. */
  retryWaitMs: number;
}
