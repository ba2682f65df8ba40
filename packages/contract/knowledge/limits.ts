import type { LimitEntries } from "../limits.ts";
import { toLimitValues } from "../limits.ts";

const itemError = "the item's error";

// biome-ignore format: a limit a line
export const knowledgeLimitEntries = {
  fileBytes: [50 * 1_024 * 1_024, "bytes", "A file or page, and the JSON body of an ingest", "the item's error; 413 for a body", "KNOWLEDGE_MAX_FILE_BYTES"],
  sourcesPerRequest: [100, "", "Sources and files of one ingest", 422, "KNOWLEDGE_MAX_SOURCES"],
  // Only keys with namespace patterns can create namespaces.
  namespacesPerKey: [10_000, "", "Namespaces that one key creates", 409, "KNOWLEDGE_MAX_NAMESPACES_PER_KEY"],
  otherFormParts: [100, "", "Unknown (ignored) parts of an ingest form", 413],
  // A text of 50 MB has about 33,000 chunks.
  recognisedBytes: [20 * 1_024 * 1_024, "bytes", "A PDF with scanned pages to recognise", itemError],
  recognisedPages: [500, "", "Scanned pages of one PDF", itemError],
  recognitionMs: [120_000, "ms", "Time to recognise the scanned pages of one PDF", itemError, "KNOWLEDGE_OCR_TIMEOUT_MS"],
  recognitions: [4, "", "Concurrent recognitions, in one process", "waits in a queue"],
  recognitionsPerClient: [2, "", "Concurrent recognitions, per client", "waits in a queue"],
  chunksPerDocument: [100_000, "", "Chunks of one document", itemError],
  pageFetches: [24, "", "Pages being fetched or waiting to be read, in one process", "waits in a queue"],
  pageFetchesPerKey: [4, "", "Pages being fetched or waiting to be read, per client", "waits in a queue"],
  pageRedirects: [5, "", "Redirects of a page or sitemap", itemError],
  readingMs: [10_000, "ms", "Time to read a document, not counting its time in the queue", itemError],
  readingMsPerMegabyte: [1_000, "ms", "Additional reading time per megabyte of the document", itemError],
  // Each call embeds up to 256 chunks.
  embeddingCalls: [32, "", "Concurrent embedding calls for documents, shared fairly between clients", "waits in a queue"],
  // Documents with more than 256 chunks, each of which takes tens of megabytes of memory.
  largeDocuments: [8, "", "Large documents being embedded and stored, in one process", "waits in a queue"],
  largeDocumentsPerClient: [4, "", "Large documents being embedded and stored, per client", "waits in a queue"],
  commitAttempts: [10, "", "Attempts to commit while other processes write to the same namespace", itemError],
  // A ranking occupies one core until it ends.
  rankingsPerCore: [1, "", "Concurrent rankings of searches, per client and core; at least 2", "waits in a queue"],
  // Otherwise another client's first ranking would wait until one of the first client's has ended.
  rankingsForOthers: [1, "", "Additional concurrent rankings for other clients", "waits in a queue"],
  databaseConnections: [10, "", "PostgreSQL connections of one process", "waits for a connection", "KNOWLEDGE_DATABASE_CONNECTIONS"],
  databaseConnectMs: [5_000, "ms", "Time to connect to PostgreSQL", "retried"],
  databaseRetryMs: [10_000, "ms", "Time that a request waits while PostgreSQL restarts", 503],
  databaseStatementMs: [60_000, "ms", "Time for one PostgreSQL statement; building an index may take longer", 500],
  searchMemoryBytes: [512 * 1_024 * 1_024, "bytes", "Namespaces kept in memory for searches, by all workers of a process; at most an eighth of the memory", "the least recently searched namespaces are searched on disk"],
  tableReads: [2, "", "Namespaces being loaded into memory, in one process; large ones and small ones wait separately", "waits in a queue"],
  tableReadsPerClient: [1, "", "Namespaces being loaded into memory, per client; large ones and small ones wait separately", "waits in a queue"],
  lists: [4, "", "Lists of namespaces or documents being read, in one process", "waits in a queue"],
  listsPerClient: [2, "", "Lists of namespaces or documents being read, per client", "waits in a queue"],
  purges: [2, "", "Concurrent deletions with `?purge=true`, in one process", "waits in a queue"],
  purgesPerClient: [1, "", "Concurrent deletions with `?purge=true`, per client", "waits in a queue"],
  purgeAfterMs: [15 * 60_000, "ms", "Time until the text of a deleted document is removed from the disk", "removed"],
  sitemapPages: [50_000, "", "Pages of one `readSitemap`", "`truncated`"],
  sitemapFiles: [50, "", "Sitemaps that one `readSitemap` reads", "`truncated`"],
  sitemapMs: [60_000, "ms", "Time after which `readSitemap` reads no further sitemap", "`truncated`"],
  // The limit of the sitemap protocol.
  sitemapAddressCharacters: [2_048, "characters", "A URL in a sitemap", "left out"],
  imports: [8, "", "Namespaces being imported, in one process", "waits unread in a queue"],
  importsPerClient: [2, "", "Namespaces being imported, per client", "waits unread in a queue"],
  importBytes: [16 * 1_024 * 1_024 * 1_024, "bytes", "An import file", 413],
  importLineBytes: [8 * 1_024 * 1_024, "bytes", "A line of an import file", 422],
  importedChunkCharacters: [100_000, "characters", "The embedded text of one chunk in an import file", 422],
  // The maximum that the store keeps, plus the displayed one.
  exportedSources: [65, "", "Sources of one document in an import file", 422],
  chunksPerExportLine: [64, "", "Chunks in one line of an import file", 422],
  dimensions: [16_384, "", "Dimensions of the vectors in an import file", 422],
  runningJobs: [64, "", "Running jobs, in one process, shared fairly between clients; counted separately for small items (up to 1 MiB), pages and larger items", "waits in a queue"],
  runningJobsPerKey: [2, "", "Running jobs, per client, counted in the same way", "waits in a queue"],
  openJobs: [1_000, "", "Waiting and running jobs, in one process", 503],
  openJobsPerClient: [100, "", "Waiting and running jobs, per client", 503],
  finishedJobMs: [7 * 24 * 60 * 60_000, "ms", "Time that an ended job is kept", "removed"],
  finishedJobsPerKey: [1_000, "", "Ended jobs that are kept, per client", "the client's oldest job is removed"],
  finishedJobs: [50_000, "", "Ended jobs that are kept, in all", "the oldest job of the client with the most jobs is removed"],
  namespaceCharacters: [128, "characters", "The name of a namespace", 422],
  idCharacters: [500, "characters", "The id of a thread, a run or a model", 422],
  // Each namespace takes a search of its own.
  namespacesPerSearch: [8, "", "Namespaces of one search or answer", 422],
  queryCharacters: [10_000, "characters", "A search query", 422],
  searchResults: [{ min: 1, max: 50, default: 6 }, "", "Results of a search", 422],
  chunksPerAnswerSearch: [10, "", "Chunks that the model gets from one search of an answer", "the others are left out"],
  rerankCandidates: [50, "", "Search hits sent to the reranker", "the others are left out"],
  rerankMs: [2_000, "ms", "Time for the reranker to answer", "the search keeps its own order", "KNOWLEDGE_RERANK_TIMEOUT_MS"],
  documentsPerPage: [{ min: 1, max: 100, default: 50 }, "", "Documents per page", 422],
  changeWaitSeconds: [{ min: 0, max: 300, default: 0 }, "s", "Seconds that a change feed waits for further changes", 422],
  changePollMs: [1_000, "ms", "Minimum time between two checks for further changes", "waits"],
  keptDeletions: [10_000, "", "Deletions that the change feed of a namespace keeps, at least", 410],
  documentsPerDelete: [{ min: 1, max: 1_000, default: 1_000 }, "", "Documents deleted by one request with conditions", 422],
  chunksPerPage: [{ min: 1, max: 100, default: 50 }, "", "Chunks per page", 422],
  jobsPerPage: [{ min: 1, max: 100, default: 50 }, "", "Jobs per page", 422],
  namespacesPerPage: [{ min: 1, max: 1_000, default: 100 }, "", "Namespaces per page", 422],
  textCharacters: [{ min: 100, max: 50_000, default: 10_000 }, "characters", "Characters that one call of `read_document` returns", 422],
  itemIdCharacters: [200, "characters", "The id of a text or Markdown item", itemError],
  titleCharacters: [200, "characters", "The title of a document", "cut in an ingest; 422 in an update"],
  metadataFields: [32, "", "Metadata fields of a document", 422],
  metadataNameCharacters: [64, "characters", "The name of a metadata field", 422],
  metadataValueCharacters: [1_000, "characters", "The value of a metadata field", 422],
  metadataListValues: [64, "", "Values in a metadata list", 422],
  // Metadata is stored with each of up to 100,000 chunks: at 32,000 characters, a document of 5 MB took 804 MB.
  metadataCharacters: [4_000, "characters", "The metadata of a document as JSON, including names", 422],
  filterFields: [16, "", "Fields of a filter", 422],
  filterValues: [64, "", "Values of one field of a filter", 422],
  // Longer than the value of a metadata field, because filters also compare sources and titles.
  filterValueCharacters: [2_000, "characters", "One value of a filter", 422],
  // Each value is compared with every row of a namespace.
  filterValuesInAll: [256, "", "Values of all fields of a filter together", 422],
  filterCharactersInAll: [20_000, "characters", "Characters of all values of a filter together", 422],
  // aiohttp, which Open WebUI uses to read streams, fails on a line of more than 128 KiB.
  annotationsBytes: [96 * 1_024, "bytes", "The annotations of a streamed chat completion", "each further `citation` is left out"],
  furtherSearches: [3, "", "Searches by the model for one answer, after the first", "the model has to answer"],
} as const satisfies LimitEntries;

export const knowledgeLimits = toLimitValues(knowledgeLimitEntries);

export const defaultNamespace = "default";
