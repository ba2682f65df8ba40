import { listingOperations } from "@agent-backends/contract/openapi";
import type { ListingSite, ScriptedProvider } from "@agent-backends/testing";
import { startListingSite, startScriptedProvider } from "@agent-backends/testing";
import { judgeResponses } from "@agent-backends/testing/openapi";
import { afterAll, beforeEach, expect } from "vitest";
import type { ListingProcess } from "./listing-process.ts";
import { startListing } from "./listing-process.ts";

/** The service in a process of its own, with a stand-in site and a scripted provider. */
export interface UnderTest {
  site: ListingSite;
  provider: ScriptedProvider;
  service: ListingProcess;
}

/**
 * Starts all three for the tests of a file; they end after its last one. Before each test the site behaves well and what both
 * recorded is forgotten. Responses that tests read must be in the OpenAPI document.
 *
 * @param variables beside those that name the site, the index and the provider; nothing is cached unless they say so
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
  afterAll(await judgeResponses(listingOperations, service.baseUrl));
  afterAll(async () => {
    expect(await service.end()).toBe(0);
    await provider.close();
    await site.close();
  });
  return { site, provider, service };
}
