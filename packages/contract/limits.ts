export type LimitValue = number | { min: number; max: number; default?: number };
type Unit = "" | "bytes" | "ms" | "s" | "characters" | "tokens" | "pages";

/** `beyond` is the response status beyond the limit, or a few words. `variable` is the environment variable that changes the limit. */
type Entry = readonly [value: LimitValue, unit: Unit, what: string, beyond: number | string, variable?: string];
export type LimitEntries = Readonly<Record<string, Entry>>;

export function toLimitValues<const Entries extends LimitEntries>(entries: Entries) {
  const values = Object.entries(entries).map(([name, [value]]) => [name, value]);
  return Object.fromEntries(values) as { [Name in keyof Entries]: Entries[Name][0] };
}

const MiB = 1_024 * 1_024;
const errorEvent = "the stream's error event";
const cancelledRun = "the stream's error event; in the profile `ag-ui`, the outcome `cancelled`";
const notResumable = "the run continues but can't be resumed";

/**
 * The limits of all services. docs/limits.md is generated from these entries: to add a limit, add an entry and run `npm run docs:tables`.
 */
// biome-ignore format: a limit a line
export const sharedLimits = {
  bodyBytes: [10 * MiB, "bytes", "A JSON body, not counting the long texts of an ingest", 413],
  largeBodyBytes: [128 * 1_024, "bytes", "A JSON body that counts as large", "counts towards the two limits below"],
  largeBodiesBytesPerClient: [48 * MiB, "bytes", "Large bodies of unanswered requests, per client", "waits unread until there is room"],
  largeBodiesBytes: [144 * MiB, "bytes", "Large bodies of unanswered requests, in all", "waits unread until there is room"],
  jsonValues: [25_000, "", "Values in a JSON body, including nested values", 413],
  // JSON.stringify overflows its stack at some thousand levels.
  jsonDepth: [500, "", "Levels of nesting in a JSON body", 413],
  // Each name is compared with the known fields, and repeated in warnings.
  jsonNameBytes: [10_000, "bytes", "A field's name in a JSON body", 413],
  queryParameters: [500, "", "Query parameters of a request to Knowledge or Listing", 400],
  mcpBatchMessages: [10, "", "JSON-RPC messages of one MCP request", 400],
  mcpIdCharacters: [1_000, "characters", "The id of a JSON-RPC message, which the response repeats", 400],
  // The MCP library visits each value several times.
  mcpValues: [5_000, "", "Values in one MCP request", 413],
  invalidFieldsNamed: [20, "", "Invalid fields listed in one problem", "the others are left out"],
  ignoredFieldsNamed: [20, "", "Ignored fields listed in `warnings`", "the others are left out"],
  comparedFields: [1_000, "", "Unknown fields of a request that are compared with known fields", "the others are ignored"],
  messagesPerRequest: [1_000, "", "Messages of one conversation", 422],
  messageCharacters: [8_000_000, "characters", "The text of one message", 422],
  // Each piece of a stream counts as at least one token.
  answerTokens: [64_000, "tokens", "Tokens of one answer of the librarian or the analyst", errorEvent],
  answerMs: [600_000, "ms", "Time for one answer of the librarian or the analyst", errorEvent],
  // Not counted: a repeated call after a kept-alive connection closed, or without a field that the provider doesn't know.
  providerAttempts: [3, "", "Attempts at one provider call that fails temporarily", errorEvent],
  circuitFailures: [5, "", "Consecutive failures of one of several providers, or of the reranker, before its circuit breaker opens", "not called"],
  circuitOpenMs: [30_000, "ms", "Time that a circuit breaker stays open before one request probes the provider", "called again"],
  fallbackAfterMs: [30_000, "ms", "Time for a provider's response headers while another provider is available", "the other provider is called", "LLM_FALLBACK_AFTER_MS"],
  fallbackWaitMs: [1_000, "ms", "Total retry delay for a busy provider while another provider is available", "the other provider is called"],
  fallbackProviders: [8, "", "Providers in `LLM_FALLBACKS`", "the service doesn't start"],
  providerCheckMs: [5_000, "ms", "Time for a provider check of `/ready`", "`/ready` says degraded"],
  providerCheckTtlMs: [60_000, "ms", "Age of the provider check in `/ready`", "checked again"],
  providerCheckRetryMs: [10_000, "ms", "Age of the provider check in `/ready` while the provider fails", "checked again"],
  // A successful call, or a check that shows the cause is gone, ends it sooner.
  providerCallFailureMs: [300_000, "ms", "Time that `/ready` shows a failed call", "`/ready` shows the check"],
  streams: [20_000, "", "Concurrent streams, in all", 503, "MAX_STREAMS"],
  streamsPerKey: [1_000, "", "Concurrent streams, per key", 429, "MAX_STREAMS_PER_KEY"],
  slotLeaseMs: [30_000, "ms", "Time that the work of a crashed process counts towards its keys' limits in Redis", "no longer counted"],
  // Applies only if keys are required. A burst of one key then adds little work to each turn, and requests of other keys take 10 to 20.
  requestStartsPerTurn: [2, "", "Requests started in one event loop turn, shared fairly between keys, health checks and addresses", "waits for a later turn"],
  waitingRequestsPerKey: [1_000, "", "Requests waiting to start, per key", 429],
  requestsPerMinuteAndKey: [6_000, "", "Requests per minute, per key; 0: no limit", 429, "RATE_LIMIT_PER_KEY"],
  requestsPerMinuteAndAddress: [0, "", "Requests per minute, per address; 0: no limit", 429, "RATE_LIMIT_PER_ADDRESS"],
  refusalsPerMinuteAndAddress: [600, "", "Requests per minute with invalid credentials, per address", 429],
  countedKeyRates: [1_000, "", "Different key rates that are counted at the same time", "all counters restart"],
  // Used until the key's own runs show how many tokens they need.
  assumedRunTokens: [1_000, "tokens", "Tokens reserved for a run of a key with a token budget, in addition to its input", "counted too"],
  tokenLeaseSeconds: [3_600, "s", "Time that the tokens of a run stay reserved in Redis if its process ends", "released"],
  streamBufferBytes: [64 * 1_024, "bytes", "Unsent bytes of a stream", "the producer pauses"],
  refusedBodyMs: [5_000, "ms", "Time for a client to finish sending a refused body, if the connection ends too", "connection closed"],
  preflightSeconds: [600, "s", "Time that browsers cache a preflight response", "they ask again"],
  unreadMs: [60_000, "ms", "Time for a client to read the rest of an ended stream", "connection closed"],
  heartbeatMs: [15_000, "ms", "Silence of a stream before its heartbeat", "a heartbeat is sent", "STREAM_HEARTBEAT_MS"],
  shutdownGraceMs: [10_000, "ms", "Time for running streams to end after SIGTERM", errorEvent, "SHUTDOWN_GRACE_MS"],
  // The maximum duration of a relay run.
  retireMs: [3_600_000, "ms", "Time for running streams to end in a worker that SIGHUP replaces", "as after SIGTERM"],
  // Longer than the 60 s of common load balancers, which otherwise send requests on a connection that is about to close.
  keepAliveMs: [65_000, "ms", "Idle time of a connection", "connection closed"],
  headBytes: [16 * 1_024, "bytes", "Request line and headers", 431],
  headMs: [60_000, "ms", "Time for request line and headers to arrive", 408],
  // The limit of Node.js itself.
  chunkExtensionBytes: [16 * 1_024, "bytes", "Extensions of a body's chunks", 413],
  requestMs: [300_000, "ms", "Time for a request to arrive, including its body", 408],
  retryAfterSeconds: [5, "s", "`Retry-After` of a request that is refused for lack of capacity", "–"],
} as const satisfies LimitEntries;

/** Limits that the kit enforces for the knowledge service. */
export const capacityLimits = {
  ingests: [1_000, "", "Concurrent ingests, in all", 503, "MAX_INGESTS"],
  ingestsPerKey: [32, "", "Concurrent ingests, per key", 429, "MAX_INGESTS_PER_KEY"],
  searches: [1_000, "", "Concurrent searches, in all", 503, "MAX_SEARCHES"],
  searchesPerKey: [32, "", "Concurrent searches, per key", 429, "MAX_SEARCHES_PER_KEY"],
  // Each document takes some megabytes of memory.
  documents: [64, "", "Document responses with their text at the same time, in all", 503],
  documentsPerKey: [8, "", "Document responses with their text at the same time, per key", 429],
} as const satisfies LimitEntries;

/** Limits of runs, for all agents that speak AG-UI. */
// biome-ignore format: a limit a line
export const runLimits = {
  runIdCharacters: [1_000, "characters", "The id of a thread or a run", 422],
  toolsPerRequest: [1_000, "", "Tools that a run offers the model", 422],
  toolNameCharacters: [256, "characters", "The name of a tool", 422],
  toolDescriptionCharacters: [100_000, "characters", "The description of a tool", 422],
  // The value holds a provider's signatures and, for providers that require it unchanged, the model's reasoning.
  encryptedValueCharacters: [1_000_000, "characters", "The `encryptedValue` of a message or a tool call", 422],
  resumeEntries: [1_000, "", "Entries of `resume`", 422],
  runWarnings: [20, "", "Warnings of one run", "the others are left out"],
  // Limits of resumable runs, with RUNS_URL.
  runRetentionMs: [300_000, "ms", "Time that a finished run stays readable", 404, "RUN_RETENTION_MS"],
  runOrphanMs: [0, "ms", "Time that a run continues without a reader", "the run ends", "RUN_ORPHAN_MS"],
  runLogEvents: [1_000_000, "", "Events of a run that can be resumed", notResumable],
  runLogBytes: [16 * MiB, "bytes", "Bytes of the events of a run that can be resumed", notResumable],
  runLogRuns: [20_000, "", "Runs kept in memory; with Redis, unfinished runs of one process", "the oldest ended runs are dropped"],
  runLogTotalBytes: [128 * MiB, "bytes", "All runs kept in memory", "the oldest ended runs are dropped"],
  runUnstoredBytes: [MiB, "bytes", "Events of a run that wait for Redis", "reading from the provider pauses"],
  runBacklogBytes: [64 * MiB, "bytes", "Unread bytes of all clients of runs that can be resumed", "reading from the provider pauses"],
  runLogMs: [2_000, "ms", "Time for Redis to answer", notResumable],
  runLeaseMs: [6_000, "ms", "Silence of a process before other processes end its runs", errorEvent],
} as const satisfies LimitEntries;

export const relayLimits = {
  // The client chose the model, so these limits are higher than those of the agents. Each provider event counts as at least one token.
  runTokens: [10_000_000, "tokens", "Tokens of one run", cancelledRun, "RELAY_MAX_TOKENS"],
  runMs: [3_600_000, "ms", "Time for one run", cancelledRun, "RELAY_RUN_TIMEOUT_MS"],
} as const satisfies LimitEntries;

export const limits = toLimitValues({ ...sharedLimits, ...capacityLimits, ...runLimits, ...relayLimits });
