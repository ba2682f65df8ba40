/** Is told how one call of the provider goes. */
export interface ProviderCallObserver {
  /** Sent beside the provider's own headers, such as a trace's. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Text came; it is told of the first, and may be told of more. */
  firstToken(): void;
  /** How many tokens the provider counted, where it tells. */
  usage(tokens: { input?: number | undefined; output?: number | undefined }): void;
  /** @param error what made the call fail; absent also where nobody waits for the answer any more */
  ended(error?: unknown): void;
}
