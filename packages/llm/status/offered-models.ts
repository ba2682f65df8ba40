/** Azure lists the models that a resource could deploy, while requests name deployments. */
const namesDeployments = /\.azure\.com$/i;
/** OpenRouter lists chat models only. */
const listsChatModelsOnly = /(^|\.)openrouter\.ai$/i;

/** Whether a list tells which models of this use there are. */
export function isListComplete(hostname: string, use: "chat" | "embeddings"): boolean {
  return !namesDeployments.test(hostname) && (use === "chat" || !listsChatModelsOnly.test(hostname));
}

/**
 * Whether a list has a model, by whichever name a provider takes: Ollama leaves out `:latest`, Gemini lists `models/…`, gateways
 * take suffixes such as `:nitro` and list `openai/*`.
 */
export function isOffered(model: string, listed: readonly string[]): boolean {
  const name = normalise(model);
  return listed.map(normalise).some((entry) => {
    if (entry.endsWith("*")) return name.startsWith(entry.slice(0, -1));
    return entry === name || entry === `${name}:latest` || name.startsWith(`${entry}:`);
  });
}

/** The listed model whose name is most like the given one; of embedding models only where there are any, and one is wanted. */
export function closestModel(model: string, use: "chat" | "embeddings", listed: readonly string[]): string | undefined {
  const fitting = listed.filter((entry) => /embed/i.test(entry) === (use === "embeddings"));
  const candidates = fitting.length > 0 ? fitting : listed;
  return candidates.toSorted((a, b) => sharedPrefix(model, b) - sharedPrefix(model, a) || a.length - b.length)[0];
}

function normalise(name: string): string {
  return name.toLowerCase().replace(/^models\//, "");
}

function sharedPrefix(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length += 1;
  return length;
}
