import { listingOperations } from "@agent-backends/contract/openapi";
import type { ListingSite, ScriptedProvider } from "@agent-backends/testing";
import { startListingSite, startScriptedProvider } from "@agent-backends/testing";
import { validateResponses } from "@agent-backends/testing/openapi";
import { afterAll, beforeEach, expect } from "vitest";
import type { ListingProcess } from "./listing-process.ts";
import { startListing } from "./listing-process.ts";

/** The service in its own process, with a stand-in site and a scripted provider. */
export interface UnderTest {
  site: ListingSite;
  provider: ScriptedProvider;
  service: ListingProcess;
}

/**
 * Starts all three for the tests of a file, and stops them after the last test. Before each test the site is reset to normal behaviour, and
 * recorded requests are cleared. Responses that tests read must match the OpenAPI document.
 *
 * @param variables in addition to those that name the site, the index and the provider. Caching is off unless they turn it on
 */
export async function startUnderTest(variables: Record<string, string> = {}): Promise<UnderTest> {
  const site = await startListingSite();
  const provider = await startScriptedProvider();
  const service = await startListing({
    LLM_BASE_URL: provider.baseUrl,
    ...site.variables,
    LISTING_SOURCE_NAME: "the stand-in",
    LISTING_CACHE_TTL_MS: "0",
    ...variables,
  });
  beforeEach(() => {
    site.behaviour = { kind: "well" };
    site.strictDays = true;
    site.requests.length = 0;
    provider.requests.length = 0;
  });
  afterAll(await validateResponses(listingOperations, service.baseUrl));
  afterAll(async () => {
    expect(await service.end()).toBe(0);
    await provider.close();
    await site.close();
  });
  return { site, provider, service };
}
