import type { Logger } from "@agent-backends/kit";
import type { KnowledgeStore } from "../store/knowledge-store.ts";

/** Namespaces that are looked at again for one answer; the rest count as they were. */
const lookedAtAgain = 50;

/**
 * Knows which namespaces have vectors of another model than new ones get. They are searched with the model that they
 * have, so that nothing is mixed, until they are reindexed.
 */
export class EmbeddingModelWatch {
  readonly #store: Pick<KnowledgeStore, "namespaces" | "embeddingOf">;
  readonly #model: string;
  readonly #logger: Logger;
  /** By namespace, its model. */
  readonly #outdated = new Map<string, string>();
  #closed = false;
  #scan: Promise<void> = Promise.resolve();

  constructor(options: { store: Pick<KnowledgeStore, "namespaces" | "embeddingOf">; model: string; logger: Logger }) {
    this.#store = options.store;
    this.#model = options.model;
    this.#logger = options.logger;
  }

  /** Looks through the store in the background, and logs what it finds. */
  start(): void {
    this.#scan = this.#findAll().catch((error) => {
      this.#logger.warn({ err: error }, "the namespaces' embedding models could not be looked at");
    });
  }

  /** What an operator should know, in sentences; none when all namespaces have the present model. */
  async warnings(): Promise<string[]> {
    for (const namespace of [...this.#outdated.keys()].slice(0, lookedAtAgain)) await this.#look(namespace);
    const counts = new Map<string, number>();
    for (const model of this.#outdated.values()) counts.set(model, (counts.get(model) ?? 0) + 1);
    return [...counts].map(([model, count]) => {
      const some = count === 1 ? "1 namespace has" : `${count} namespaces have`;
      return `${some} vectors of ${model} and not of ${this.#model}, and ${count === 1 ? "is" : "are"} searched with it until \`npm run knowledge:reindex\` has been run.`;
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.#scan;
  }

  async #findAll(): Promise<void> {
    for (const namespace of await this.#store.namespaces()) {
      if (this.#closed) return;
      await this.#look(namespace);
    }
    for (const warning of await this.warnings()) this.#logger.warn(warning);
  }

  async #look(namespace: string): Promise<void> {
    const embedding = await this.#store.embeddingOf(namespace);
    if (embedding && embedding.model !== this.#model) this.#outdated.set(namespace, embedding.model);
    else this.#outdated.delete(namespace);
  }
}
