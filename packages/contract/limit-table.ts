import { knowledgeLimits } from "./knowledge/index.ts";
import { limits } from "./limits.ts";
import { listingLimits } from "./listing.ts";

type Service = "all" | "knowledge" | "listing" | "relay";

/** What happens beyond a limit: a status, or in words. */
type Beyond = 400 | 408 | 409 | 413 | 422 | 429 | 431 | 503 | string;

/** A row: which services, what is limited, in which unit, what happens beyond, and the variable that changes it. */
type Row = readonly [service: Service, what: string, unit: string, beyond: Beyond, variable?: string];

type Names =
  | `shared.${keyof typeof limits}`
  | `knowledge.${keyof typeof knowledgeLimits}`
  | `listing.${keyof typeof listingLimits}`;

const itemError = "the item's error";
const clamped = "clamped";
const notRead = "the model alone reads it";

// Every limit has its row: one that is missing does not compile.
const rows: Record<Names, Row> = {
  "shared.bodyBytes": ["all", "A JSON body", "bytes", 413],
  "shared.largeBodyBytes": ["all", "A JSON body that counts as large", "bytes", "it takes a share"],
  "shared.largeBodiesBytesPerClient": [
    "all",
    "Large bodies at the same time, until they are answered, per key, or per address without keys",
    "bytes",
    "it waits unread",
  ],
  "shared.largeBodiesBytes": ["all", "The same, in all", "bytes", "it waits unread"],
  "shared.jsonValues": ["all", "Values of a JSON body, with all that lists and objects hold", "", 413],
  "shared.jsonDepth": ["all", "Levels of lists and objects in a JSON body", "", 413],
  "shared.mcpBatchMessages": ["all", "JSON-RPC messages of one MCP request", "", 400],
  "shared.mcpValues": ["all", "Values of one MCP request", "", 413],
  "shared.messagesPerRequest": ["all", "Messages of one conversation", "", 422],
  "shared.messageCharacters": ["all", "The text of one message", "characters", 422],
  "shared.invalidFieldsNamed": ["all", "Offending fields that one problem names", "", "the others are left out"],
  "shared.runIdCharacters": ["relay", "The id of a thread or a run", "characters", 422],
  "shared.toolsPerRequest": ["relay", "Tools that a run offers the model", "", 422],
  "shared.toolNameCharacters": ["relay", "The name of a tool", "characters", 422],
  "shared.toolDescriptionCharacters": ["relay", "The description of a tool", "characters", 422],
  "shared.answerTokens": [
    "all",
    "Tokens of one answer of the librarian or the analyst",
    "tokens",
    "the stream's error event",
  ],
  "shared.answerMs": ["all", "Time for one answer of the librarian or the analyst", "ms", "the stream's error event"],
  "shared.runTokens": ["relay", "Tokens of one run", "tokens", "the stream's error event", "RELAY_MAX_TOKENS"],
  "shared.runMs": ["relay", "Time for one run", "ms", "the stream's error event", "RELAY_RUN_TIMEOUT_MS"],
  "shared.providerAttempts": [
    "all",
    "Times that one call of the provider is sent, while it refuses for a passing reason",
    "",
    "the stream's error event",
  ],
  "shared.providerCheckMs": ["all", "A check of the provider for `/ready`", "ms", "`/ready` says degraded"],
  "shared.providerCheckTtlMs": ["all", "Age of what `/ready` says of the provider", "ms", "it is checked again"],
  "shared.providerCheckRetryMs": ["all", "The same while the provider fails", "ms", "it is checked again"],
  "shared.providerCallFailureMs": [
    "all",
    "Time that a failed call shows in `/ready`, unless another succeeds",
    "ms",
    "the check counts",
  ],
  "shared.streams": ["all", "Streams at the same time, in all", "", 503, "MAX_STREAMS"],
  "shared.streamsPerKey": ["all", "Streams at the same time, per key", "", 429, "MAX_STREAMS_PER_KEY"],
  "shared.ingests": ["knowledge", "Ingests at the same time, in all", "", 503, "MAX_INGESTS"],
  "shared.ingestsPerKey": ["knowledge", "Ingests at the same time, per key", "", 429, "MAX_INGESTS_PER_KEY"],
  "shared.searches": ["knowledge", "Searches at the same time, in all", "", 503, "MAX_SEARCHES"],
  "shared.searchesPerKey": ["knowledge", "Searches at the same time, per key", "", 429, "MAX_SEARCHES_PER_KEY"],
  "shared.documents": ["knowledge", "Documents that are sent with their text at the same time, in all", "", 503],
  "shared.documentsPerKey": ["knowledge", "The same, per key", "", 429],
  "shared.requestsPerMinuteAndKey": [
    "all",
    "Requests a minute, per key without a rate of its own; 0: no limit",
    "",
    429,
    "RATE_LIMIT_PER_KEY",
  ],
  "shared.requestsPerMinuteAndAddress": [
    "all",
    "Requests a minute, per address; 0: no limit",
    "",
    429,
    "RATE_LIMIT_PER_ADDRESS",
  ],
  "shared.refusalsPerMinuteAndAddress": ["all", "Requests a minute with wrong credentials, per address", "", 429],
  "shared.ratesAtOnce": ["all", "Different rates of keys that are counted at the same time", "", "counted anew"],
  "shared.streamBufferBytes": [
    "all",
    "What waits in a stream's socket before its producer waits",
    "bytes",
    "the stream waits",
  ],
  "shared.unreadMs": ["all", "Time for a client to take the rest of a stream that is over", "ms", "it is closed"],
  "shared.heartbeatMs": ["all", "Silence of a stream before its heartbeat", "ms", "a heartbeat", "STREAM_HEARTBEAT_MS"],
  "shared.shutdownGraceMs": [
    "all",
    "Time for running streams after SIGTERM",
    "ms",
    "the stream's error event",
    "SHUTDOWN_GRACE_MS",
  ],
  "shared.keepAliveMs": ["all", "An idle connection", "ms", "it is closed"],
  "shared.headBytes": ["all", "What stands before a request's body", "bytes", 431],
  "shared.headMs": ["all", "Time for what stands before a request's body", "ms", 408],
  "shared.chunkExtensionBytes": ["all", "Extensions of a body's chunks", "bytes", 413],
  "shared.requestMs": ["all", "Time for a request to arrive, its body included", "ms", 408],
  "shared.retryAfterSeconds": ["all", "What a refused request is told to wait", "s", "–"],
  "knowledge.fileBytes": [
    "knowledge",
    "A file, or what an address gives",
    "bytes",
    itemError,
    "KNOWLEDGE_MAX_FILE_BYTES",
  ],
  "knowledge.sourcesPerRequest": ["knowledge", "Sources and files of one ingest", "", 422, "KNOWLEDGE_MAX_SOURCES"],
  "knowledge.namespacesPerKey": [
    "knowledge",
    "Namespaces that one key begins",
    "",
    409,
    "KNOWLEDGE_MAX_NAMESPACES_PER_KEY",
  ],
  "knowledge.otherFormParts": ["knowledge", "Parts of an ingest's form beside its files and known fields", "", 413],
  "knowledge.chunksPerDocument": ["knowledge", "Chunks of one document", "", itemError],
  "knowledge.pageFetches": [
    "knowledge",
    "Pages that are fetched or wait on disk to be read, in one process, shared fairly between keys",
    "",
    "it waits",
  ],
  "knowledge.pageFetchesPerKey": ["knowledge", "The same, per key, or per address without keys", "", "it waits"],
  "knowledge.readingMs": ["knowledge", "Time to read one document, of any size", "ms", itemError],
  "knowledge.readingMsPerMegabyte": ["knowledge", "The same, besides, for each megabyte of it", "ms", itemError],
  "knowledge.embeddingCalls": [
    "knowledge",
    "Calls for the vectors of documents at the same time, shared fairly between keys",
    "",
    "it waits",
  ],
  "knowledge.commitAttempts": [
    "knowledge",
    "Attempts to write to the store while other processes write to the same namespace",
    "",
    itemError,
  ],
  "knowledge.rankingsPerCore": [
    "knowledge",
    "Rankings that searches make at the same time, by words or by meaning, per key, or per address without keys, and core; at least 2",
    "",
    "it waits",
  ],
  "knowledge.rankingsForOthers": ["knowledge", "The same, besides, for other keys or addresses", "", "it waits"],
  "knowledge.runningJobs": ["knowledge", "Jobs that run, in one process, shared fairly between keys", "", "it waits"],
  "knowledge.runningJobsPerKey": ["knowledge", "Jobs that run, per key, or per address without keys", "", "it waits"],
  "knowledge.openJobs": ["knowledge", "Jobs that wait or run, in one process", "", 503],
  "knowledge.openJobsPerClient": ["knowledge", "The same, per key, or per address without keys", "", 503],
  "knowledge.finishedJobMs": ["knowledge", "Time for which a job that has ended is kept", "ms", "it is removed"],
  "knowledge.finishedJobsPerKey": [
    "knowledge",
    "Jobs that have ended, per key, or per address without keys",
    "",
    "the oldest of that key is removed",
  ],
  "knowledge.finishedJobs": [
    "knowledge",
    "Jobs that have ended, in all",
    "",
    "the oldest of the key with the most is removed",
  ],
  "knowledge.namespaceCharacters": ["knowledge", "The name of a namespace", "characters", 422],
  "knowledge.idCharacters": ["knowledge", "The id of a thread or a run", "characters", 422],
  "knowledge.queryCharacters": ["knowledge", "A search query", "characters", 422],
  "knowledge.searchResults": ["knowledge", "Results of a search", "", 422],
  "knowledge.documentsPerPage": ["knowledge", "Documents of a page", "", 422],
  "knowledge.namespacesPerPage": ["knowledge", "Namespaces of a page", "", 422],
  "knowledge.metadataFields": ["knowledge", "Fields of metadata", "", 422],
  "knowledge.metadataNameCharacters": ["knowledge", "The name of such a field", "characters", 422],
  "knowledge.metadataValueCharacters": ["knowledge", "The value of such a field", "characters", 422],
  "knowledge.filterFields": ["knowledge", "Fields of a filter", "", 422],
  "knowledge.filterValues": ["knowledge", "Values of such a field", "", 422],
  "knowledge.filterValueCharacters": ["knowledge", "A value of a filter", "characters", 422],
  "knowledge.filterValuesInAll": ["knowledge", "Values of a filter, of all its fields together", "", 422],
  "knowledge.filterCharactersInAll": ["knowledge", "The values of a filter together", "characters", 422],
  "knowledge.furtherSearches": [
    "knowledge",
    "Searches of the model for one answer, and calls of it beyond the first",
    "",
    "it has to answer",
  ],
  "listing.posts": ["listing", "Launches of a list", "", clamped],
  "listing.hits": ["listing", "Hits of a search", "", clamped],
  "listing.offset": ["listing", "Launches before the first one of a list", "", clamped],
  "listing.followedMessages": [
    "listing",
    "The user's messages among which a follow-up finds what it is about",
    "",
    "it is taken by itself",
  ],
  "listing.readCharacters": ["listing", "The part of a message that decides what it asks for", "characters", notRead],
  "listing.readSentences": ["listing", "Sentences of that part", "", notRead],
  "listing.pages": [
    "listing",
    "Pages of 20 read of the site for a list",
    "pages",
    "the answer says that there is more",
  ],
  "listing.ascendingPages": [
    "listing",
    "Pages of 20 read of the site for the fewest votes, and to count launches",
    "pages",
    "the answer says of how many launches it speaks",
  ],
  "listing.particles": ["listing", "Particles of confetti", "", clamped],
  "listing.colors": ["listing", "Colours of confetti", "", 422],
  "listing.queryLength": ["listing", "A search query", "characters", 422],
  "listing.timeframeLength": ["listing", "A timeframe", "characters", 422],
  "listing.timezoneLength": ["listing", "The name of a timezone", "characters", 422],
  "listing.reasonLength": ["listing", "What confetti is for", "characters", 422],
  "listing.adviceLength": ["listing", "A question for advice over MCP", "characters", "the tool's error"],
  "listing.idLength": ["listing", "The id of a thread or a run", "characters", 422],
};

/** A limit as it is documented. */
export interface Limit {
  name: string;
  value: number | { min: number; max: number; default?: number };
  service: Service;
  what: string;
  unit: string;
  beyond: Beyond;
  /** By which an operator changes it. */
  variable: string | undefined;
}

const values: Record<string, Record<string, Limit["value"]>> = {
  shared: limits,
  knowledge: knowledgeLimits,
  listing: listingLimits,
};

/** All limits of all services. */
export const limitTable: readonly Limit[] = Object.entries(rows).map(
  ([name, [service, what, unit, beyond, variable]]) => {
    const [group = "", key = ""] = name.split(".");
    return { name: key, value: values[group]?.[key] ?? 0, service, what, unit, beyond, variable };
  },
);
