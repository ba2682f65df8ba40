import { resolve } from "node:path";
import { ConfigurationError, createLogger, loadEnvironmentFiles, readConfiguration } from "@agent-backends/kit";
import { openEgress } from "@agent-backends/kit/egress";
import { embedTexts, Provider } from "@agent-backends/llm";
import { knowledgeVariables } from "../configuration.ts";
import { openStore } from "../store/open-store.ts";
import { reindexStore } from "./reindex-store.ts";

// As the service does.
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
  const failures = await reindexStore({
    store,
    model,
    embed: (texts) => embedTexts({ provider, model, texts }),
    onReport: (line) => process.stdout.write(`${line}\n`),
  });
  await store.close();
  provider.close();
  process.exitCode = failures === 0 ? 0 : 1;
} catch (error) {
  if (!(error instanceof ConfigurationError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}
