import { offlineStore, services } from "@agent-backends/contract/services";

type Environment = Readonly<Record<string, string | undefined>>;

/** Replacements for a provider or site that isn't configured, as variables for the services. */
export interface StandIns {
  environment: Record<string, string>;
  /** Whether the offline provider runs, because there is no key. */
  offlineProvider: boolean;
  /** Whether the sample site runs, because no listing site is configured. */
  sampleSite: boolean;
  close(): Promise<void>;
}

const modelVariables = Object.values(services).flatMap(({ models }) => Object.keys(models));

const isSet = (value: string | undefined) => Boolean(value?.trim());

/** Starts the replacements that let everything run without a key. To load one takes up to half a second of CPU time. */
export async function startStandIns(environment: Environment): Promise<StandIns> {
  const offlineProvider = isSet(environment.LLM_API_KEY)
    ? undefined
    : await (await import("@agent-backends/llm/offline")).startOfflineProvider();
  const listingIsSet = ["LISTING_API_TOKEN", "LISTING_API_URL", "LISTING_SEARCH_APP_ID", "LISTING_SEARCH_URL"];
  const sampleSite = listingIsSet.some((variable) => isSet(environment[variable]))
    ? undefined
    : await (await import("@agent-backends/listing/sample-site")).startSampleSite();
  return {
    offlineProvider: offlineProvider !== undefined,
    sampleSite: sampleSite !== undefined,
    environment: {
      ...(offlineProvider && {
        LLM_API_KEY: "offline",
        LLM_BASE_URL: offlineProvider.baseUrl,
        ...Object.fromEntries(modelVariables.map((variable) => [variable, "offline"])),
        KNOWLEDGE_STORE: environment.KNOWLEDGE_STORE?.trim() || offlineStore,
      }),
      ...(sampleSite && {
        LISTING_API_URL: sampleSite.graphqlUrl,
        LISTING_API_TOKEN: "sample",
        LISTING_SEARCH_URL: sampleSite.searchUrl,
        LISTING_SEARCH_APP_ID: "sample",
        LISTING_SEARCH_API_KEY: "sample",
        LISTING_SOURCE_NAME: "sample data (invented launches)",
      }),
    },
    async close() {
      await offlineProvider?.close();
      await sampleSite?.close();
    },
  };
}
