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
const cancelledRun = "the stream's error event; in the profile `ag-ui` the outcome `cancelled`";
const notResumable = "the run goes on and can't be resumed";

/**
 * The limits of all services. docs/limits.md is generated from these entries: to add a limit, add an entry and run `npm run docs:tables`.
 */
// biome-ignore format: a limit a line
export const sharedLimits = {
  bodyBytes: [10 * MiB, "bytes", "A JSON body, without the long texts of an ingest", 413],
  largeBodyBytes: [128 * 1_024, "bytes", "A JSON body that counts as large", "it takes a share"],
  largeBodiesBytesPerClient: [48 * MiB, "bytes", "Large bodies until they are answered, per client", "it waits unread"],
  largeBodiesBytes: [144 * MiB, "bytes", "Large bodies until they are answered, in all", "it waits unread"],
  jsonValues: [25_000, "", "Values in a JSON body, nested ones included", 413],
  // JSON.stringify overflows its stack at some thousand levels.
  jsonDepth: [500, "", "Levels of nesting in a JSON body", 413],
  // Each name is compared with the known fields, and repeated in warnings.
  jsonNameBytes: [10_000, "bytes", "A field's name in a JSON body", 413],
  queryParameters: [500, "", "Parameters in an address of knowledge or listing", 400],
  mcpBatchMessages: [10, "", "JSON-RPC messages of one MCP request", 400],
  mcpIdCharacters: [1_000, "characters", "The id of a JSON-RPC message, which its answer repeats", 400],
  // The MCP library visits each value several times.
  mcpValues: [5_000, "", "Values in one MCP request", 413],
  invalidFieldsNamed: [20, "", "Invalid fields that one problem names", "the others are left out"],
  ignoredFieldsNamed: [20, "", "Ignored fields that `warnings` names", "the others are left out"],
  comparedFields: [1_000, "", "Unknown fields of a request that are compared with known ones", "the others are ignored"],
  messagesPerRequest: [1_000, "", "Messages of one conversation", 422],
  messageCharacters: [8_000_000, "characters", "The text of one message", 422],
  // Each piece of a stream counts as at least one token.
  answerTokens: [64_000, "tokens", "Tokens of one answer of the librarian or the analyst", errorEvent],
  answerMs: [600_000, "ms", "Time for one answer of the librarian or the analyst", errorEvent],
  // Not counted: a repeated call after a kept-alive connection closed, or without a field that the provider doesn't know.
  providerAttempts: [3, "", "Attempts at one call of the provider while it fails temporarily", errorEvent],
  circuitFailures: [5, "", "Failures in a row of one of several providers, or of the reranker, before it is left alone", "it is not asked"],
  circuitOpenMs: [30_000, "ms", "Time that a provider is left alone before one request probes it", "it is asked again"],
  fallbackAfterMs: [30_000, "ms", "Time for a provider's head while another one can be asked", "it is asked", "LLM_FALLBACK_AFTER_MS"],
  fallbackWaitMs: [1_000, "ms", "Waits for a busy provider, in all, while another one can be asked", "it is asked"],
  fallbackProviders: [8, "", "Providers in `LLM_FALLBACKS`", "the service doesn't start"],
  providerCheckMs: [5_000, "ms", "A check of the provider for `/ready`", "`/ready` says degraded"],
  providerCheckTtlMs: [60_000, "ms", "Age of what `/ready` says of the provider", "it is checked again"],
  providerCheckRetryMs: [10_000, "ms", "The same while the provider fails", "it is checked again"],
  // A successful call, or a check that shows the cause is gone, ends it sooner.
  providerCallFailureMs: [300_000, "ms", "Time that a failed call shows in `/ready`", "the check counts"],
  streams: [20_000, "", "Concurrent streams, in all", 503, "MAX_STREAMS"],
  streamsPerKey: [1_000, "", "Concurrent streams, per key", 429, "MAX_STREAMS_PER_KEY"],
  slotLeaseMs: [30_000, "ms", "Time that the work of a process that died counts towards its keys' limits in Redis", "it is free"],
  // Applies only if keys are required. A burst of one key then adds little work to each turn, and requests of other keys take 10 to 20.
  requestStartsPerTurn: [2, "", "Requests started in one event loop turn, shared between keys; health checks, addresses", "it waits"],
  waitingRequestsPerKey: [1_000, "", "Requests waiting to start, per key", 429],
  requestsPerMinuteAndKey: [6_000, "", "Requests per minute, per key; 0: no limit", 429, "RATE_LIMIT_PER_KEY"],
  requestsPerMinuteAndAddress: [0, "", "Requests per minute, per address; 0: no limit", 429, "RATE_LIMIT_PER_ADDRESS"],
  refusalsPerMinuteAndAddress: [600, "", "Requests per minute with invalid credentials, per address", 429],
  ratesAtOnce: [1_000, "", "Different rates of keys that are counted at the same time", "counters start again"],
  // Used until the key's own runs show how many tokens they need.
  assumedRunTokens: [1_000, "tokens", "Tokens reserved for a run of a key with a token budget, beyond its input", "it counts too"],
  tokenLeaseSeconds: [3_600, "s", "Time that the tokens of a run stay reserved in Redis if its process ends", "they are free"],
  streamBufferBytes: [64 * 1_024, "bytes", "Unsent bytes of a stream before its producer pauses", "the stream waits"],
  refusedBodyMs: [5_000, "ms", "Time to end sending a body that is refused, where the connection ends too", "it is closed"],
  preflightSeconds: [600, "s", "Time for which browsers keep the answer to a preflight", "they ask again"],
  unreadMs: [60_000, "ms", "Time for a client to read the rest of an ended stream", "it is closed"],
  heartbeatMs: [15_000, "ms", "Silence of a stream before its heartbeat", "a heartbeat", "STREAM_HEARTBEAT_MS"],
  shutdownGraceMs: [10_000, "ms", "Time for running streams after SIGTERM", errorEvent, "SHUTDOWN_GRACE_MS"],
  // The maximum duration of a relay run.
  retireMs: [3_600_000, "ms", "Time for running streams of a worker that SIGHUP replaces", "as after SIGTERM"],
  // Longer than the 60 s of common load balancers, which otherwise send requests on a connection that is about to close.
  keepAliveMs: [65_000, "ms", "An idle connection", "it is closed"],
  headBytes: [16 * 1_024, "bytes", "Request line and headers", 431],
  headMs: [60_000, "ms", "Time for request line and headers to arrive", 408],
  // The limit of Node.js itself.
  chunkExtensionBytes: [16 * 1_024, "bytes", "Extensions of a body's chunks", 413],
  requestMs: [300_000, "ms", "Time for a request to arrive, its body included", 408],
  retryAfterSeconds: [5, "s", "`Retry-After` of a request that is refused for lack of capacity", "–"],
} as const satisfies LimitEntries;

/** Limits that the kit enforces for the knowledge service. */
export const capacityLimits = {
  ingests: [1_000, "", "Concurrent ingests, in all", 503, "MAX_INGESTS"],
  ingestsPerKey: [32, "", "Concurrent ingests, per key", 429, "MAX_INGESTS_PER_KEY"],
  searches: [1_000, "", "Concurrent searches, in all", 503, "MAX_SEARCHES"],
  searchesPerKey: [32, "", "Concurrent searches, per key", 429, "MAX_SEARCHES_PER_KEY"],
  // Each document takes some megabytes of memory.
  documents: [64, "", "Documents that are sent with their text at the same time, in all", 503],
  documentsPerKey: [8, "", "The same, per key", 429],
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
  runWarnings: [20, "", "Warnings about one run", "the others are left out"],
  // Limits of resumable runs, with RUNS_URL.
  runRetentionMs: [300_000, "ms", "Time that a finished run can be read again", 404, "RUN_RETENTION_MS"],
  runOrphanMs: [0, "ms", "Time that a run goes on without a reader", "it ends", "RUN_ORPHAN_MS"],
  runLogEvents: [1_000_000, "", "Events of a run that can be resumed", notResumable],
  runLogBytes: [16 * MiB, "bytes", "The same in bytes", notResumable],
  runLogRuns: [20_000, "", "Runs kept in memory, or with Redis running in one process", "the oldest ended ones are dropped"],
  runLogTotalBytes: [128 * MiB, "bytes", "All runs kept in memory", "the oldest ended ones are dropped"],
  runUnstoredBytes: [MiB, "bytes", "Events of a run that wait for Redis", "the provider waits"],
  runBacklogBytes: [64 * MiB, "bytes", "Unread bytes of all clients of runs that can be resumed", "the provider waits"],
  runLogMs: [2_000, "ms", "Time for Redis to answer", notResumable],
  runLeaseMs: [6_000, "ms", "Silence of a process before the others end its runs", errorEvent],
} as const satisfies LimitEntries;

export const relayLimits = {
  // The client chose the model, so these limits are higher than those of the agents. Each provider event counts as at least one token.
  runTokens: [10_000_000, "tokens", "Tokens of one run", cancelledRun, "RELAY_MAX_TOKENS"],
  runMs: [3_600_000, "ms", "Time for one run", cancelledRun, "RELAY_RUN_TIMEOUT_MS"],
} as const satisfies LimitEntries;

export const limits = toLimitValues({ ...sharedLimits, ...capacityLimits, ...runLimits, ...relayLimits });
