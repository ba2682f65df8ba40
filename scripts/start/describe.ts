import { readFileSync } from "node:fs";
import type { ServicePlan } from "./plan.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** The address by which a browser on this machine, or on the one that asked, reaches a service. */
const isWildcard = (host: string) => host === "0.0.0.0" || host === "::";

/** What the console is told of what was started: addresses, provider, models; nothing secret. */
export function describeServices(
  plans: readonly ServicePlan[],
  host: string,
  standIns: { offlineProvider: boolean; sampleSite: boolean },
  environment: Environment,
): (hostname: string) => object {
  const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };
  const set = (variable: string, fallback: string) => environment[variable]?.trim() || fallback;
  const address = set("LLM_BASE_URL", "https://api.openai.com/v1");
  const small = "gpt-4o-mini";
  return (hostname) => ({
    version,
    addresses: Object.fromEntries(
      plans.map(({ key, port }) => [key, `http://${isWildcard(host) ? hostname : host}:${port}`]),
    ),
    provider: { offline: standIns.offlineProvider, address: new URL(address).origin },
    models: [
      { label: "Relay", model: set("RELAY_MODEL", "gpt-4o") },
      { label: "Knowledge", model: set("KNOWLEDGE_LLM_MODEL", small) },
      { label: "Knowledge, embeddings", model: set("KNOWLEDGE_EMBEDDING_MODEL", "text-embedding-3-small") },
      { label: "Listing", model: set("LISTING_AGENT_MODEL", small) },
    ],
    sampleSite: standIns.sampleSite,
  });
}
