import { ConfigurationError, readConfiguration } from "@agent-backends/kit";
import { describe, expect, it } from "vitest";
import { buildPagesUrl, getSearchUrl, listingVariables } from "./configuration.ts";

const read = (variables: Record<string, string> = {}) =>
  readConfiguration(listingVariables, { LLM_API_KEY: "key", ...variables });

function listProblems(variables: Record<string, string>): readonly string[] {
  try {
    read(variables);
  } catch (error) {
    if (error instanceof ConfigurationError) return error.lines;
    throw error;
  }
  return [];
}

describe("the listing service's variables", () => {
  it("have the defaults that the contract names", () => {
    expect(read()).toMatchObject({
      PORT: 8002,
      LISTING_AGENT_MODEL: "gpt-4o-mini",
      LISTING_AGENT_TEMPERATURE: 0.3,
      LISTING_AGENT_MAX_ITEMS: 5,
      LISTING_ROUTING: "model",
      LISTING_SEARCH_INDEX: "Post_production",
      LISTING_TIMEZONE: "America/Los_Angeles",
      LISTING_CACHE_TTL_MS: 60_000,
      LISTING_TIMEOUT_MS: 8_000,
    });
  });

  it.each([
    ["LISTING_TIMEZONE", "Mars/Olympus"],
    ["LISTING_AGENT_TEMPERATURE", "3"],
    ["LISTING_AGENT_TEMPERATURE", "warm"],
    ["LISTING_ROUTING", "both"],
    ["LISTING_AGENT_MAX_ITEMS", "many"],
    ["LISTING_AGENT_MAX_ITEMS", "0"],
    ["LISTING_API_URL", "ftp://site.example"],
    ["LISTING_SEARCH_URL", "search"],
    ["LISTING_SEARCH_APP_ID", "evil.example/"],
    ["LISTING_CACHE_TTL_MS", "-1"],
    ["LISTING_TIMEOUT_MS", "8s"],
  ])("are refused with one line that says what would be right: %s=%s", (name, value) => {
    expect(listProblems({ [name]: value })).toEqual([
      expect.stringMatching(new RegExp(`^${name} must be (one of|.*such as)`)),
    ]);
  });

  it("are all named that are wrong, at once", () => {
    expect(listProblems({ LISTING_TIMEZONE: "Mars/Olympus", LISTING_TIMEOUT_MS: "0" })).toHaveLength(2);
  });

  it("take no cache, the usual spelling of a timezone, and a temperature of 2", () => {
    const variables = { LISTING_CACHE_TTL_MS: "0", LISTING_TIMEZONE: "europe/berlin", LISTING_AGENT_TEMPERATURE: "2" };
    expect(read(variables)).toMatchObject({
      LISTING_CACHE_TTL_MS: 0,
      LISTING_TIMEZONE: "Europe/Berlin",
      LISTING_AGENT_TEMPERATURE: 2,
    });
  });
});

describe("the search index's address", () => {
  it.each([
    [{}, undefined],
    [{ LISTING_SEARCH_APP_ID: "ABC123" }, undefined],
    [{ LISTING_SEARCH_API_KEY: "k" }, undefined],
    [{ LISTING_SEARCH_APP_ID: "ABC123", LISTING_SEARCH_API_KEY: "k" }, "https://abc123-dsn.algolia.net"],
    [{ LISTING_SEARCH_URL: "http://127.0.0.1:9/" }, "http://127.0.0.1:9"],
  ])("with %j is %s", (variables, url) => {
    expect(getSearchUrl(read(variables))).toBe(url);
  });
});

it.each([
  ["https://api.listing.example/v2/graphql", "https://www.listing.example/posts/"],
  ["http://127.0.0.1:9/graphql", "http://127.0.0.1:9/posts/"],
])("beside an API at %s launches are shown at %s", (apiUrl, pages) => {
  expect(buildPagesUrl(apiUrl)).toBe(pages);
});
