import type { ProviderError } from "../errors/provider-error.ts";

export interface CompletionTimeouts {
  /** How long the provider may take until the first bytes of its answer, or until what its handler takes for the beginning. */
  firstBytesTimeoutMs: number;
  /** How long it may be silent after that. */
  idleTimeoutMs: number;
}

/** What is sent, as JSON text. */
export interface CompletionRequest {
  body: string;
  /** Sent beside the provider's own, such as a trace's. Names and values must be such as may stand in a header. */
  headers?: Readonly<Record<string, string>> | undefined;
  /**
   * What is sent instead when the provider refuses the body with an answer that names something in it. Once it has taken
   * the other body instead, it gets that at once from then on.
   */
  fallback?: { refused: RegExp; body: () => string };
}

/** Takes the answer of a provider. */
export interface CompletionStreamHandler {
  /** Whether the answer has begun, for one to whom its first bytes say too little. It stays so once it is. */
  readonly hasBegun?: boolean;
  /** Whether the answer has all that it needs, so that silence after it is the end. It stays so once it is. */
  readonly hasFinished?: boolean;
  /** Bytes of the answer, `bytes[start, end)`. They are not copied: use them during the call. */
  onBytes(bytes: Buffer, start: number, end: number): void;
  /** All bytes of one socket read were given. */
  onReadEnd(): void;
  /** The answer is whole, as far as HTTP can tell, or it had finished and nothing followed. */
  onEnd(): void;
  /** The provider could not be reached, refused, answered something else than a stream, fell silent or broke off. */
  onFailure(error: ProviderError): void;
}

/** A provider's answer that is on its way. */
export interface CompletionStream {
  /** Lets the provider wait; at most what is already on its way still arrives. */
  pause(): void;
  resume(): void;
  /** Ends the request at once, whatever its state, and silently: the handler is not called again. */
  abort(): void;
  /** Takes nothing more, but leaves the provider a moment to end, so that its connection can serve again. */
  release(): void;
}
