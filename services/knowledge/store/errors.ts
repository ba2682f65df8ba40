import type { Embedding } from "./document.ts";

/** A document was deleted while it was being read. */
export class DocumentGoneError extends Error {
  override readonly name = "DocumentGoneError";

  constructor() {
    super("The document was deleted while it was read.");
  }
}

/** The namespace was deleted in the meantime. */
export class NamespaceGoneError extends Error {
  override readonly name = "NamespaceGoneError";

  constructor() {
    super("The namespace was deleted while a document was stored in it.");
  }
}

/** The given vectors are from another model than those of the namespace, and can't be compared with them. */
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

/** The database didn't answer in time, or the folder can't be opened. */
export class StoreUnreachableError extends Error {
  override readonly name = "StoreUnreachableError";

  constructor(cause: unknown) {
    super("The store can't be reached or opened.", { cause });
  }
}

export function failAsUnreachable(cause: unknown): never {
  throw new StoreUnreachableError(cause);
}

/** Whether a store didn't answer, or refused every retry. The engine's errors about object stores have no names of their own. */
export const isStoreUnreachable = (error: unknown): boolean =>
  error instanceof StoreUnreachableError ||
  (error instanceof Error && /Generic (S3|GCS|MicrosoftAzure) error|Generic \{ store: "/.test(error.message));

/** Errors of LanceDB have no codes, unlike those of Node.js and PostgreSQL. */
const hasCodeOrMessage = (error: unknown, codes: readonly string[], message: RegExp): boolean =>
  error instanceof Error && (codes.includes(String((error as { code?: unknown }).code)) || message.test(error.message));

/** Whether a disk or a quota is full. */
export const isDiskFull = (error: unknown): boolean =>
  hasCodeOrMessage(error, ["ENOSPC", "EDQUOT", "53100"], /No space left on device|Disk quota exceeded/);

/** Whether the service has only read access to its store. */
export const isStoreReadOnly = (error: unknown): boolean =>
  hasCodeOrMessage(
    error,
    ["EACCES", "EPERM", "EROFS", "25006", "42501"],
    /Permission denied \(os error|Read-only file system \(os error/,
  );

/** The store can't be used until somebody changes something. The message says what. */
export class UnusableStoreError extends Error {
  override readonly name: string = "UnusableStoreError";
}

/** The store's location contains data of another version of the service, or of something else. The store leaves it unchanged. */
export class UnknownStoreError extends UnusableStoreError {
  override readonly name = "UnknownStoreError";

  constructor() {
    super(
      "KNOWLEDGE_STORE holds data in a form that this version of the service does not know. It was left as it is: run the " +
        "version that made it, or set KNOWLEDGE_STORE to a new place and ingest the documents again.",
    );
  }
}
