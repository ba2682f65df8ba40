export * from "./documents.ts";
export * from "./ingest.ts";
export * from "./jobs.ts";
export * from "./librarian.ts";
export * from "./limits.ts";
export type { CustomMetadata } from "./metadata.ts";
export { customMetadataSchema, reservedMetadataNames } from "./metadata.ts";
export * from "./namespaces.ts";
export * from "./search.ts";
