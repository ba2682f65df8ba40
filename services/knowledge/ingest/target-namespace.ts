import type { NewDocument } from "../store/document.ts";
import { NamespaceGoneError } from "../store/errors.ts";
import type { DocumentStore, NamespaceStore } from "../store/knowledge-store.ts";

/**
 * The namespace that an ingest or import fills. Once it has existed, it isn't created again: if it is missing then, somebody has
 * deleted it, perhaps through another replica, which can't end this one's ingests.
 */
export class TargetNamespace {
  /** Also aborts with `NamespaceGoneError` when a document was to be stored in the deleted namespace. */
  readonly signal: AbortSignal;
  readonly #store: DocumentStore & NamespaceStore;
  readonly #namespace: string;
  readonly #deletion = new AbortController();
  readonly #lookup: Promise<void>;
  #hasExisted = false;

  constructor(
    store: DocumentStore & NamespaceStore,
    { namespace, signal }: { namespace: string; signal: AbortSignal },
  ) {
    this.#store = store;
    this.#namespace = namespace;
    this.signal = AbortSignal.any([signal, this.#deletion.signal]);
    // Ignore an unreachable store here: storing the documents fails anyway, unless the store is back by then.
    const found = store.getEmbedding(namespace).catch(() => undefined);
    this.#lookup = found.then((embedding) => {
      this.#hasExisted ||= embedding !== undefined;
    });
  }

  /** Like `DocumentStore.add`. @throws NamespaceGoneError */
  async add(document: NewDocument): Promise<boolean> {
    await this.#lookup;
    try {
      const isAdded = await this.#store.add(this.#namespace, document, () => !this.#hasExisted);
      this.#hasExisted = true;
      return isAdded;
    } catch (error) {
      if (error instanceof NamespaceGoneError) this.#deletion.abort(error);
      throw error;
    }
  }
}
