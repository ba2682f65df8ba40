import type { LimitEntries } from "../limits.ts";
import { toLimitValues } from "../limits.ts";

const itemError = "the item's error";

// biome-ignore format: a limit a line
export const knowledgeLimitEntries = {
  fileBytes: [50 * 1_024 * 1_024, "bytes", "A file or page, and the JSON body of an ingest", "the item's error; 413 for a body", "KNOWLEDGE_MAX_FILE_BYTES"],
  sourcesPerRequest: [100, "", "Sources and files of one ingest", 422, "KNOWLEDGE_MAX_SOURCES"],
  // Only keys with namespace patterns can create namespaces.
  namespacesPerKey: [10_000, "", "Namespaces that one key begins", 409, "KNOWLEDGE_MAX_NAMESPACES_PER_KEY"],
  otherFormParts: [100, "", "Unknown parts of an ingest's form, which are ignored", 413],
  // A text of 50 MB has about 33,000 chunks.
  recognisedBytes: [20 * 1_024 * 1_024, "bytes", "A PDF whose scanned pages are recognised", itemError],
  recognisedPages: [500, "", "Its scanned pages", itemError],
  recognitionMs: [120_000, "ms", "Time to recognise them", itemError, "KNOWLEDGE_OCR_TIMEOUT_MS"],
  recognitions: [4, "", "Concurrent recognitions, in one process", "it waits"],
  recognitionsPerClient: [2, "", "The same, per client", "it waits"],
  chunksPerDocument: [100_000, "", "Chunks of one document", itemError],
  pageFetches: [24, "", "Pages being fetched or waiting to be read, in one process", "it waits"],
  pageFetchesPerKey: [4, "", "The same, per client", "it waits"],
  pageRedirects: [5, "", "Redirects of a page or sitemap", itemError],
  readingMs: [10_000, "ms", "Time to read a document once its turn has come", itemError],
  readingMsPerMegabyte: [1_000, "ms", "Added to it for each megabyte of the document", itemError],
  // Each call embeds up to 256 chunks.
  embeddingCalls: [32, "", "Concurrent calls for the vectors of documents, shared fairly between clients", "it waits"],
  // Documents with more than 256 chunks, each of which takes tens of megabytes of memory.
  largeDocuments: [8, "", "Large documents being embedded and stored, in one process", "it waits"],
  largeDocumentsPerClient: [4, "", "The same, per client", "it waits"],
  commitAttempts: [10, "", "Attempts at a commit while other processes write to the same namespace", itemError],
  // A ranking occupies one core until it ends.
  rankingsPerCore: [1, "", "Concurrent rankings of searches, per client and core; at least 2", "it waits"],
  // Otherwise another client's first ranking would wait until one of the first client's has ended.
  rankingsForOthers: [1, "", "Added to it for other clients", "it waits"],
  databaseConnections: [10, "", "Connections of one process to PostgreSQL", "it waits", "KNOWLEDGE_DATABASE_CONNECTIONS"],
  databaseConnectMs: [5_000, "ms", "Time to connect to PostgreSQL", "it is tried again"],
  databaseRetryMs: [10_000, "ms", "Time that a request waits for PostgreSQL while it restarts", 503],
  databaseStatementMs: [60_000, "ms", "One statement of PostgreSQL; building an index may take longer", 500],
  searchMemoryBytes: [512 * 1_024 * 1_024, "bytes", "Namespaces in memory to be searched there, of all workers of a process; at most an eighth of the memory", "the least recently searched ones are searched on the disk"],
  tableReads: [2, "", "Namespaces being read into memory for their first search, in one process", "it waits"],
  tableReadsPerClient: [1, "", "The same, per client", "it waits"],
  lists: [4, "", "Lists of namespaces or documents being read, in one process", "it waits"],
  listsPerClient: [2, "", "The same, per client", "it waits"],
  purges: [2, "", "Deletions with `?purge=true` at the same time, in one process", "it waits"],
  purgesPerClient: [1, "", "The same, per client", "it waits"],
  purgeAfterMs: [15 * 60_000, "ms", "Time after which the text of a deleted document is off the disk", "it is removed"],
  sitemapPages: [50_000, "", "Pages of one `readSitemap`", "`truncated`"],
  sitemapFiles: [50, "", "Sitemaps that one `readSitemap` reads", "`truncated`"],
  sitemapMs: [60_000, "ms", "Time after which it reads no further sitemap", "`truncated`"],
  // The limit of the sitemap protocol.
  sitemapAddressCharacters: [2_048, "characters", "An address in a sitemap", "it is left out"],
  imports: [8, "", "Namespaces being imported, in one process", "it waits unread"],
  importsPerClient: [2, "", "The same, per client", "it waits unread"],
  importBytes: [16 * 1_024 * 1_024 * 1_024, "bytes", "The file of an import", 413],
  importLineBytes: [8 * 1_024 * 1_024, "bytes", "A line of it", 422],
  importedChunkCharacters: [100_000, "characters", "What was embedded for one chunk of it", 422],
  // The maximum that the store keeps, plus the displayed one.
  exportedSources: [65, "", "Sources of one document of it", 422],
  chunksPerExportLine: [64, "", "Chunks of one line of it", 422],
  dimensions: [16_384, "", "Dimensions of its vectors", 422],
  runningJobs: [64, "", "Running jobs, in one process, shared fairly between clients; counted separately for jobs of only small items (up to 1 MiB), with pages, and with larger items", "it waits"],
  runningJobsPerKey: [2, "", "The same, per client", "it waits"],
  openJobs: [1_000, "", "Waiting and running jobs, in one process", 503],
  openJobsPerClient: [100, "", "The same, per client", 503],
  finishedJobMs: [7 * 24 * 60 * 60_000, "ms", "Time for which an ended job is kept", "it is removed"],
  finishedJobsPerKey: [1_000, "", "Ended jobs that are kept, per client", "its oldest is removed"],
  finishedJobs: [50_000, "", "Ended jobs that are kept, in all", "the oldest of the client with the most is removed"],
  namespaceCharacters: [128, "characters", "The name of a namespace", 422],
  idCharacters: [500, "characters", "The id of a thread, a run or a model", 422],
  // Each namespace takes a search of its own.
  namespacesPerSearch: [8, "", "Namespaces that one search or answer covers", 422],
  queryCharacters: [10_000, "characters", "A search query", 422],
  searchResults: [{ min: 1, max: 50, default: 6 }, "", "Results of a search", 422],
  chunksPerAnswerSearch: [10, "", "Chunks that one search of an answer gives the model", "the others are left out"],
  rerankCandidates: [50, "", "Hits of a search that the reranker orders", "the others are left out"],
  rerankMs: [2_000, "ms", "Time for the reranker", "the search keeps its order", "KNOWLEDGE_RERANK_TIMEOUT_MS"],
  documentsPerPage: [{ min: 1, max: 100, default: 50 }, "", "Documents of a page", 422],
  changeWaitSeconds: [{ min: 0, max: 300, default: 0 }, "s", "Seconds that a feed of changes waits for further ones", 422],
  changePollMs: [1_000, "ms", "Time between two looks for further changes", "it waits"],
  keptDeletions: [10_000, "", "Deletions of a namespace that its feed of changes still tells, at least", 410],
  documentsPerDelete: [{ min: 1, max: 1_000, default: 1_000 }, "", "Documents of one delete by conditions", 422],
  chunksPerPage: [{ min: 1, max: 100, default: 50 }, "", "Chunks of a page", 422],
  jobsPerPage: [{ min: 1, max: 100, default: 50 }, "", "Jobs of a page", 422],
  namespacesPerPage: [{ min: 1, max: 1_000, default: 100 }, "", "Namespaces of a page", 422],
  textCharacters: [{ min: 100, max: 50_000, default: 10_000 }, "characters", "The text that one call of `read_document` returns", 422],
  itemIdCharacters: [200, "characters", "The id of a text or Markdown item", itemError],
  titleCharacters: [200, "characters", "The title of a document", "an ingest's is cut; 422 for a new one"],
  metadataFields: [32, "", "Fields of metadata", 422],
  metadataNameCharacters: [64, "characters", "The name of a metadata field", 422],
  metadataValueCharacters: [1_000, "characters", "The value of a metadata field", 422],
  metadataListValues: [64, "", "Values of a metadata field that is a list", 422],
  // Metadata is stored with each of up to 100,000 chunks: at 32,000 characters, a document of 5 MB took 804 MB.
  metadataCharacters: [4_000, "characters", "The metadata of a document as JSON, names included", 422],
  filterFields: [16, "", "Fields of a filter", 422],
  filterValues: [64, "", "Values of one field of a filter", 422],
  // Longer than the value of a metadata field, because filters also compare sources and titles.
  filterValueCharacters: [2_000, "characters", "One value of a filter", 422],
  // Each value is compared with every row of a namespace.
  filterValuesInAll: [256, "", "Values of a filter, of all its fields together", 422],
  filterCharactersInAll: [20_000, "characters", "The values of a filter together", 422],
  // aiohttp, which Open WebUI uses to read streams, fails on a line of more than 128 KiB.
  annotationsBytes: [96 * 1_024, "bytes", "The annotations of a streamed chat completion", "each `citation` beyond is left out"],
  furtherSearches: [3, "", "Searches of the model for one answer, beyond the first", "it has to answer"],
} as const satisfies LimitEntries;

export const knowledgeLimits = toLimitValues(knowledgeLimitEntries);

export const defaultNamespace = "default";
