/** Azure lists the models that a resource can deploy, but requests name deployments. */
const namesDeployments = /\.azure\.com$/i;
/** OpenRouter lists chat models only. */
const listsChatModelsOnly = /(^|\.)openrouter\.ai$/i;

/** Whether a provider's list is complete for this use. */
export function isListComplete(hostname: string, use: "chat" | "embeddings"): boolean {
  return !namesDeployments.test(hostname) && (use === "chat" || !listsChatModelsOnly.test(hostname));
}

/**
 * Whether a model is listed under any of its names: Ollama leaves out `:latest`, Gemini lists `models/…`, gateways list `openai/*` and
 * accept suffixes such as `:nitro`.
 */
export function isOffered(model: string, listed: readonly string[]): boolean {
  const name = normalise(model);
  return listed.map(normalise).some((entry) => {
    if (entry.endsWith("*")) return name.startsWith(entry.slice(0, -1));
    return entry === name || entry === `${name}:latest` || name.startsWith(`${entry}:`);
  });
}

/** The listed model with the longest common prefix, preferably one for the same use. */
export function findClosestModel(
  model: string,
  use: "chat" | "embeddings",
  listed: readonly string[],
): string | undefined {
  const fitting = listed.filter((entry) => /embed/i.test(entry) === (use === "embeddings"));
  const candidates = fitting.length > 0 ? fitting : listed;
  return candidates.toSorted(
    (a, b) => getSharedPrefixLength(model, b) - getSharedPrefixLength(model, a) || a.length - b.length,
  )[0];
}

function normalise(name: string): string {
  return name.toLowerCase().replace(/^models\//, "");
}

function getSharedPrefixLength(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length += 1;
  return length;
}
