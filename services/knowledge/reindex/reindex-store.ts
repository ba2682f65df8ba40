import type { NamespaceStore } from "../store/knowledge-store.ts";

export interface ReindexOptions {
  store: Pick<NamespaceStore, "listNamespaces" | "reembed">;
  /** The model that every namespace gets vectors of. */
  model: string;
  embed(texts: string[]): Promise<Float32Array[]>;
  /** Called with each line of the report. */
  onReport(line: string): void;
}

/**
 * Gives all namespaces vectors of one model, one after the other, while the service runs. After an interruption the next call
 * continues. A namespace that fails stays as it was, and the others follow.
 *
 * @returns the number of namespaces that failed
 */
export async function reindexStore({ store, model, embed, onReport }: ReindexOptions): Promise<number> {
  const [probe] = await embed(["How many dimensions has this?"]);
  const dimension = probe?.length ?? 0;
  const namespaces = await store.listNamespaces();
  let failures = 0;
  for (const [position, namespace] of namespaces.entries()) {
    const name = `${position + 1}/${namespaces.length} ${JSON.stringify(namespace)}`;
    let shown = -1;
    const onProgress = (done: number, total: number) => {
      const percent = total === 0 ? 100 : Math.floor((100 * done) / total);
      if (percent !== shown) onReport(`${name}: ${done} of ${total} chunks (${percent} %)`);
      shown = percent;
    };
    try {
      await store.reembed(namespace, { model, dimension, embed, onProgress });
    } catch (error) {
      failures += 1;
      onReport(`${name}: failed, and is searched as before: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  onReport(
    failures === 0 ? `All namespaces have vectors of ${model}.` : `${failures} namespaces failed; run this again.`,
  );
  return failures;
}
