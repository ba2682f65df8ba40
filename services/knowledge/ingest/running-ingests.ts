import { problems } from "@agent-backends/contract";
import { NamespaceGoneError } from "../store/errors.ts";

/**
 * The running ingests and imports whose clients wait for them, by namespace. They end when their namespace is deleted, because they
 * would recreate it.
 */
export class RunningIngests {
  readonly #running = new Map<string, Set<{ controller: AbortController; ended: Promise<unknown> }>>();

  /** @throws ProblemError `conflict` if the namespace is deleted in the meantime, and what `ingest` throws */
  async run<Result>(
    { namespace, signal }: { namespace: string; signal: AbortSignal },
    ingest: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    const controller = new AbortController();
    const running = ingest(AbortSignal.any([signal, controller.signal]));
    const entry = { controller, ended: running.catch(() => undefined) };
    const entries = this.#running.get(namespace) ?? new Set();
    this.#running.set(namespace, entries.add(entry));
    try {
      return await running;
    } catch (error) {
      throw error instanceof NamespaceGoneError ? problems.namespaceDeleted(namespace) : error;
    } finally {
      entries.delete(entry);
      if (entries.size === 0 && this.#running.get(namespace) === entries) this.#running.delete(namespace);
    }
  }

  /** Aborts everything that fills a namespace. Resolves once all of it has ended. */
  async endAll(namespace: string): Promise<void> {
    const entries = [...(this.#running.get(namespace) ?? [])];
    for (const { controller } of entries) controller.abort(problems.namespaceDeleted(namespace));
    await Promise.all(entries.map(({ ended }) => ended));
  }
}
