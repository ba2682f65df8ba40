/** The named bounds of the knowledge service's requests. */
export const knowledgeLimits = {
  namespaceCharacters: 128,
  queryCharacters: 10_000,
  searchResults: { min: 1, max: 50, default: 6 },
  documentsPerPage: { min: 1, max: 100, default: 50 },
  namespacesPerPage: { min: 1, max: 1_000, default: 100 },
  metadataFields: 32,
  metadataNameCharacters: 64,
  metadataValueCharacters: 1_000,
  filterFields: 16,
  filterValues: 64,
} as const;

export const defaultNamespace = "default";
