/** The named bounds that more than one service shares. Sizes are bytes, times milliseconds. */
export const limits = {
  /** A JSON body, in every service. */
  bodyBytes: 10 * 1024 * 1024,
  /** A JSON body above this takes part in the shares below until its request is answered. */
  largeBodyBytes: 128 * 1024,
  /** Such bodies at the same time: of one key (or address, where no keys are asked for), and of one process. */
  largeBodiesBytesPerClient: 48 * 1024 * 1024,
  largeBodiesBytes: 144 * 1024 * 1024,
  /** Values of a JSON body: texts, numbers, lists, objects and what they hold. */
  jsonValues: 25_000,
  /** Levels of lists and objects in a JSON body. Some thousands overflow the stack when they are written as JSON again. */
  jsonDepth: 500,
  /** JSON-RPC messages of one MCP request. */
  mcpBatchMessages: 10,
  /** Values of such a request: its library looks at each several times. */
  mcpValues: 5_000,
  /** Problem details name at most this many offending fields. */
  invalidFieldsNamed: 20,
  /** Messages of one conversation. */
  messagesPerRequest: 1_000,
  /** The text of one message. */
  messageCharacters: 8_000_000,
  /** The id of a thread or a run of the relay. */
  runIdCharacters: 1_000,
  /** Tools that a run may offer the model, and what each says of itself. */
  toolsPerRequest: 1_000,
  toolNameCharacters: 256,
  toolDescriptionCharacters: 100_000,
  /** What one answer of an agent may take of the model provider. Each piece of a stream counts as a token, at least. */
  answerTokens: 64_000,
  answerMs: 600_000,
  /** The same of one run of the relay, whose client chose the model; a provider's event is one token, at least. */
  runTokens: 10_000_000,
  runMs: 3_600_000,
  /**
   * A call of the model provider that was refused for a passing reason is sent this often in all. Not counted
   * are a call on a kept connection that it closed just then, and one with a field that it does not know.
   */
  providerAttempts: 3,
  /** A check of the provider, which asks for its list of models, has to end within this time. */
  providerCheckMs: 5_000,
  /** What is known of the provider is asked for anew after this time, and sooner while it fails. */
  providerCheckTtlMs: 60_000,
  providerCheckRetryMs: 10_000,
  /** A failed call counts this long, unless another call succeeds or a check tells that it is over. */
  providerCallFailureMs: 300_000,
  /** A silent stream gets a heartbeat after this time, unless `STREAM_HEARTBEAT_MS` says otherwise. */
  heartbeatMs: 15_000,
  /** Running streams get this long to end after SIGTERM, unless `SHUTDOWN_GRACE_MS` says otherwise. */
  shutdownGraceMs: 10_000,
  /** An idle connection is kept this long: above the 60 s of common load balancers. */
  keepAliveMs: 65_000,
  /** What stands before a request's body, and the time for it to arrive. */
  headBytes: 16 * 1024,
  headMs: 60_000,
  /** Extensions of a body's chunks, by node's own limit. */
  chunkExtensionBytes: 16 * 1024,
  /** A request has to arrive within this time, its body included. */
  requestMs: 300_000,
  /** What a refused request is told to wait, in seconds, while the service drains. */
  retryAfterSeconds: 5,
  /** Bytes that may wait in a stream's socket before its producer has to wait. */
  streamBufferBytes: 64 * 1024,
  /** What is left of a stream that is over has to be taken within this time. */
  unreadMs: 60_000,
  /** Streams at the same time: of one process, and of one key. */
  streams: 20_000,
  streamsPerKey: 1_000,
  /** Ingests at the same time: of one process, and of one key. */
  ingests: 1_000,
  ingestsPerKey: 32,
  /** Searches at the same time: of one process, and of one key. */
  searches: 1_000,
  searchesPerKey: 32,
  /** Documents that are sent with their text at the same time, which takes some megabytes each: in one process, and to one key. */
  documents: 64,
  documentsPerKey: 8,
  /** Requests of a key that has no rate of its own. */
  requestsPerMinuteAndKey: 6_000,
  /** Requests of one address; 0: as many as come. */
  requestsPerMinuteAndAddress: 0,
  /** Requests of one address that were refused for their credentials. */
  refusalsPerMinuteAndAddress: 600,
  /** Different rates of keys that are counted at the same time. */
  ratesAtOnce: 1_000,
} as const;
