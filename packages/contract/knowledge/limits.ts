/** The named bounds of the knowledge service. */
export const knowledgeLimits = {
  namespaceCharacters: 128,
  /** The id of a thread or a run. */
  idCharacters: 500,
  queryCharacters: 10_000,
  searchResults: { min: 1, max: 50, default: 6 },
  documentsPerPage: { min: 1, max: 100, default: 50 },
  namespacesPerPage: { min: 1, max: 1_000, default: 100 },
  metadataFields: 32,
  metadataNameCharacters: 64,
  metadataValueCharacters: 1_000,
  filterFields: 16,
  filterValues: 64,
  /** Sources and titles may be longer than the metadata that clients give. */
  filterValueCharacters: 2_000,
  /** Of all fields of a filter together: each value is compared with each row of a namespace. */
  filterValuesInAll: 256,
  filterCharactersInAll: 20_000,
  /** A file, or what an address gives, unless `KNOWLEDGE_MAX_FILE_BYTES` says otherwise. */
  fileBytes: 50 * 1024 * 1024,
  /** Sources and files of one ingest, unless `KNOWLEDGE_MAX_SOURCES` says otherwise. */
  sourcesPerRequest: 100,
  /** Namespaces that a key may begin whose namespaces are patterns, unless `KNOWLEDGE_MAX_NAMESPACES_PER_KEY` says otherwise. */
  namespacesPerKey: 10_000,
  /** Parts of an ingest's form beside its files and known fields. They are ignored. */
  otherFormParts: 100,
  /** 50 MB of text are some 33 000. */
  chunksPerDocument: 100_000,
  /** Pages that are fetched, or were and wait to be read from disk. */
  pageFetches: 24,
  pageFetchesPerKey: 4,
  /** Time to read a document, once its turn has come, with so much more for each megabyte of it. */
  readingMs: 10_000,
  readingMsPerMegabyte: 1_000,
  /** Calls of the provider for documents' vectors, each for up to 256 chunks. */
  embeddingCalls: 32,
  /** Attempts at a commit to the store before which other processes' commits come. */
  commitAttempts: 10,
  /** Rankings that the engine makes at the same time for the searches of one client: each takes a core as long as it lasts. */
  rankingsPerCore: 1,
  /** Further ones, for other clients, whose first one then need not wait for the end of another. */
  rankingsForOthers: 1,
  /** Jobs of one process that run at the same time. */
  runningJobs: 64,
  runningJobsPerKey: 2,
  /** Jobs of one process that wait or run. */
  openJobs: 1_000,
  openJobsPerClient: 100,
  /** How long a job that has ended can be looked up, and how many of them. */
  finishedJobMs: 7 * 24 * 60 * 60_000,
  finishedJobsPerKey: 1_000,
  finishedJobs: 50_000,
  /** What the model may search, after the search that was made for it. */
  furtherSearches: 3,
} as const;

export const defaultNamespace = "default";
