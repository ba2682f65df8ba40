import type { KnowledgeStore } from "../store/knowledge-store.ts";

export interface ReindexOptions {
  store: Pick<KnowledgeStore, "namespaces" | "embeddingOf" | "reembed">;
  /** What every namespace is to have vectors of. */
  model: string;
  embed(texts: string[]): Promise<Float32Array[]>;
  /** Told what happens, a line at a time. */
  report(line: string): void;
}

/**
 * Gives all namespaces vectors of one model, one after the other, while the service goes on. After an interruption it
 * goes on where it was. One that fails stays as it was and stops no other.
 *
 * @returns how many failed
 */
export async function reindexStore({ store, model, embed, report }: ReindexOptions): Promise<number> {
  const [probe] = await embed(["How many dimensions has this?"]);
  const dimension = probe?.length ?? 0;
  const namespaces = await store.namespaces();
  let failures = 0;
  for (const [position, namespace] of namespaces.entries()) {
    const name = `${position + 1}/${namespaces.length} ${JSON.stringify(namespace)}`;
    let shown = -1;
    const onProgress = (done: number, total: number) => {
      const percent = total === 0 ? 100 : Math.floor((100 * done) / total);
      if (percent !== shown) report(`${name}: ${done} of ${total} chunks (${percent} %)`);
      shown = percent;
    };
    try {
      await store.reembed(namespace, { model, dimension, embed, onProgress });
    } catch (error) {
      failures += 1;
      report(`${name}: failed, and is searched as before: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  report(
    failures === 0 ? `All namespaces have vectors of ${model}.` : `${failures} namespaces failed; run this again.`,
  );
  return failures;
}
