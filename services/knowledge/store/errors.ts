import type { Embedding } from "./document.ts";

/** A document was deleted while it was read. */
export class DocumentGoneError extends Error {
  override readonly name = "DocumentGoneError";

  constructor() {
    super("The document was deleted while it was read.");
  }
}

/** The namespace was deleted meanwhile. */
export class NamespaceGoneError extends Error {
  override readonly name = "NamespaceGoneError";

  constructor() {
    super("The namespace was deleted while a document was stored in it.");
  }
}

/** A namespace holds vectors of one model. Vectors of another model can't be compared with them. */
export class EmbeddingMismatchError extends Error {
  override readonly name = "EmbeddingMismatchError";

  constructor(namespace: string, stored: Embedding, given: Embedding) {
    const describe = ({ model, dimension }: Embedding) => `${model} (${dimension} dimensions)`;
    super(
      `Namespace "${namespace}" was embedded with ${describe(stored)} and can't be used with ${describe(given)}: ` +
        "run `npm run knowledge:reindex`, or set KNOWLEDGE_EMBEDDING_MODEL back.",
    );
  }
}

/** The database did not answer in time, or the folder can't be opened. */
export class StoreUnreachableError extends Error {
  override readonly name = "StoreUnreachableError";

  constructor(cause: unknown) {
    super("The store can't be reached or opened.", { cause });
  }
}

/** Whether a store did not answer, or refused each retry. The engine's errors about object stores have no names of their own. */
export const isStoreUnreachable = (error: unknown): boolean =>
  error instanceof StoreUnreachableError ||
  (error instanceof Error && /Generic (S3|GCS|MicrosoftAzure) error|Generic \{ store: "/.test(error.message));

/** Errors of the folder's engine have no codes, those of Node and PostgreSQL do. */
const has = (error: unknown, codes: readonly string[], message: RegExp): boolean =>
  error instanceof Error && (codes.includes(String((error as { code?: unknown }).code)) || message.test(error.message));

/** Whether a disk or a quota is full. */
export const isDiskFull = (error: unknown): boolean =>
  has(error, ["ENOSPC", "EDQUOT", "53100"], /No space left on device|Disk quota exceeded/);

/** Whether the service may only read its store. */
export const isStoreReadOnly = (error: unknown): boolean =>
  has(
    error,
    ["EACCES", "EPERM", "EROFS", "25006", "42501"],
    /Permission denied \(os error|Read-only file system \(os error/,
  );

/** The store can't be used before somebody changes something, which the message tells. */
export class UnusableStoreError extends Error {
  override readonly name: string = "UnusableStoreError";
}

/** The store's location holds data of another version of the service, or of something else. The store leaves it unchanged. */
export class UnknownStoreError extends UnusableStoreError {
  override readonly name = "UnknownStoreError";

  constructor() {
    super(
      "KNOWLEDGE_STORE holds data in a form that this version of the service does not know. It was left as it is: run the " +
        "version that made it, or set KNOWLEDGE_STORE to a new place and ingest the documents again.",
    );
  }
}
