import { resolve } from "node:path";
import { ConfigurationError, createLogger, loadEnvironmentFiles, readConfiguration } from "@agent-backends/kit";
import { openEgress } from "@agent-backends/kit/egress";
import { embedTexts, Provider, ProviderError } from "@agent-backends/llm";
import { knowledgeVariables } from "../configuration.ts";
import { isStoreUnreachable, UnusableStoreError } from "../store/errors.ts";
import type { NamespaceStore } from "../store/knowledge-store.ts";
import { openStore } from "../store/open-store.ts";

// Same file permissions as the service.
process.umask(0o077);
try {
  loadEnvironmentFiles(
    process.cwd(),
    resolve(import.meta.dirname, "../.."),
    resolve(import.meta.dirname, "../../../.."),
  );
  const configuration = readConfiguration(knowledgeVariables, process.env);
  const egress = await openEgress(configuration);
  const provider = new Provider({ baseUrl: configuration.LLM_BASE_URL, apiKey: configuration.LLM_API_KEY, egress });
  const model = configuration.KNOWLEDGE_EMBEDDING_MODEL;
  const logger = createLogger("knowledge-reindex", configuration.LOG_LEVEL);
  const { store } = await openStore(configuration.KNOWLEDGE_STORE, {
    logger,
    environment: process.env,
    fetch: egress.fetch,
  });
  const failures = await reindexStore(store, model, (texts) => embedTexts({ provider, model, texts }));
  await store.close();
  provider.close();
  process.exitCode = failures === 0 ? 0 : 1;
} catch (error) {
  const says = explain(error);
  if (says === undefined) throw error;
  process.stderr.write(`${says}\n`);
  process.exit(1);
}

/** What the operator can mend. Undefined for bugs of this program. */
function explain(error: unknown): string | undefined {
  if (error instanceof ConfigurationError) return error.message;
  const isOutside = error instanceof ProviderError || error instanceof UnusableStoreError || isStoreUnreachable(error);
  if (!isOutside || !(error instanceof Error)) return undefined;
  const reason = error.cause instanceof Error ? ` (${error.cause.message})` : "";
  return `${error.message}${reason} Nothing has changed: run this again once that is mended.`;
}

/**
 * Recomputes the vectors of all namespaces with one model, one namespace after the other, while the service runs. After an
 * interruption, the next call continues. A namespace that fails keeps its vectors, and the others follow.
 *
 * @returns the number of namespaces that failed
 */
async function reindexStore(
  store: NamespaceStore,
  model: string,
  embed: (texts: string[]) => Promise<Float32Array[]>,
): Promise<number> {
  const [probe] = await embed(["How many dimensions has this?"]);
  const dimension = probe?.length ?? 0;
  const namespaces = await store.listNamespaces();
  if (namespaces.length === 0) {
    report("There are no namespaces in the store of KNOWLEDGE_STORE. Is it that of the service?");
    return 0;
  }
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

function report(line: string): void {
  process.stdout.write(`${line}\n`);
}
