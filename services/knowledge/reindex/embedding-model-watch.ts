import type { Logger } from "@agent-backends/kit";
import type { NamespaceStore } from "../store/knowledge-store.ts";

/** Maximum number of outdated namespaces to check again for one report. The others count as before. */
const maxRecheckedNamespaces = 50;

/**
 * Finds the namespaces whose vectors were made by another model than the configured one. They keep their model until they are
 * reindexed.
 */
export class EmbeddingModelWatch {
  readonly #store: Pick<NamespaceStore, "listNamespaces" | "getEmbedding">;
  readonly #model: string;
  readonly #logger: Logger;
  /** The models of outdated namespaces, by namespace. */
  readonly #outdated = new Map<string, string>();
  #isClosed = false;
  #scan: Promise<void> = Promise.resolve();

  constructor(options: {
    store: Pick<NamespaceStore, "listNamespaces" | "getEmbedding">;
    model: string;
    logger: Logger;
  }) {
    this.#store = options.store;
    this.#model = options.model;
    this.#logger = options.logger;
  }

  /** Checks all namespaces in the background and logs the result. */
  start(): void {
    this.#scan = this.#checkAll().catch((error) => {
      this.#logger.warn({ err: error }, "the namespaces' embedding models could not be checked");
    });
  }

  /** Warnings for operators. Empty if all namespaces use the configured model. */
  async warnings(): Promise<string[]> {
    for (const namespace of [...this.#outdated.keys()].slice(0, maxRecheckedNamespaces)) await this.#check(namespace);
    const counts = new Map<string, number>();
    for (const model of this.#outdated.values()) counts.set(model, (counts.get(model) ?? 0) + 1);
    return [...counts].map(([model, count]) => {
      const some = count === 1 ? "1 namespace has" : `${count} namespaces have`;
      return `${some} vectors of ${model} and not of ${this.#model}, and ${count === 1 ? "is" : "are"} searched with it until \`npm run knowledge:reindex\` has been run.`;
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#scan;
  }

  async #checkAll(): Promise<void> {
    for (const namespace of await this.#store.listNamespaces()) {
      if (this.#isClosed) return;
      await this.#check(namespace);
    }
    for (const warning of await this.warnings()) this.#logger.warn(warning);
  }

  async #check(namespace: string): Promise<void> {
    const embedding = await this.#store.getEmbedding(namespace);
    if (embedding && embedding.model !== this.#model) this.#outdated.set(namespace, embedding.model);
    else this.#outdated.delete(namespace);
  }
}
