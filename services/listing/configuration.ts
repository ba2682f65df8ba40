import { services } from "@agent-backends/contract";
import { providerVariables, serviceVariables, variables } from "@agent-backends/kit";
import { mcpVariables } from "@agent-backends/kit/mcp";
import { runVariables } from "@agent-backends/kit/runs";
import { z } from "zod";
import { parseTimezone } from "./timeframe/timezone.ts";

const defaultApiUrl = "https://api.producthunt.com/v2/api/graphql";

const timezone = z.string().transform((name, context) => {
  try {
    return parseTimezone(name);
  } catch {
    context.addIssue("must be a timezone of the IANA database, such as America/Los_Angeles");
    return z.NEVER;
  }
});

const temperature = z
  .string()
  .trim()
  .regex(/^\d(?:\.\d+)?$/, "must be a number from 0 to 2, such as 0.3")
  .transform(Number)
  .refine((value) => value <= 2, "must be a number from 0 to 2, such as 0.3");

const applicationId = z
  .string()
  .trim()
  .regex(/^[a-z0-9]+$/i, "must be the index's application id: letters and digits, such as ABC123");

/** The listing service's environment variables. The table of docs/configuration.md is generated from them. */
export const listingVariables = z.object({
  ...serviceVariables(services.listing.port),
  ...providerVariables,
  ...mcpVariables,
  ...runVariables,
  LISTING_AGENT_MODEL: variables.text(services.listing.models.LISTING_AGENT_MODEL).describe("the chat model"),
  LISTING_AGENT_TEMPERATURE: temperature.default(0.3).describe("the temperature of the chat model"),
  LISTING_ROUTING: variables
    .choice(["model", "provider"], "model")
    .describe(
      "what happens if the built-in model is unsure about the action for a message: `model`, the answer is advice; `provider`, the chat model picks the action by a tool call, which is one more request",
    ),
  LISTING_AGENT_MAX_ITEMS: variables
    .count(5, { min: 1, max: 50 })
    .describe("the number of launches if the user doesn't say one; up to 50, of which top lists show 20"),
  LISTING_API_TOKEN: variables.optionalText().describe("the listing site's API token; without it top lists are empty"),
  LISTING_API_URL: variables.url(defaultApiUrl).describe("the site's GraphQL address"),
  LISTING_SEARCH_APP_ID: applicationId
    .optional()
    .describe("the search index's application id; without it or without the key, searches are empty"),
  LISTING_SEARCH_API_KEY: variables.optionalText().describe("the search index's public key"),
  LISTING_SEARCH_INDEX: variables.text("Post_production").describe("the name of the search index"),
  LISTING_SEARCH_URL: variables
    .optionalUrl("https://search.example.com")
    .meta({ default: "made from the application id", description: "the search index's address" }),
  LISTING_SOURCE_NAME: variables
    .optionalText()
    .meta({ default: "the site's host", description: "the name of the site in answers" }),
  LISTING_TIMEZONE: timezone.default("America/Los_Angeles").describe('the time zone of "today" and "yesterday"'),
  LISTING_CACHE_TTL_MS: variables
    .milliseconds(60_000, 0)
    .describe("how long answers of the site are cached; 0 turns the cache off"),
  LISTING_TIMEOUT_MS: variables.milliseconds(8_000).describe("timeout of a request to the site"),
});

export type ListingConfiguration = z.output<typeof listingVariables>;

/** URL of the search index. Undefined if the index isn't fully configured. */
export function getSearchUrl(configuration: ListingConfiguration): string | undefined {
  const { LISTING_SEARCH_URL: url, LISTING_SEARCH_APP_ID: id, LISTING_SEARCH_API_KEY: key } = configuration;
  return url ?? (id && key ? `https://${id.toLowerCase()}-dsn.algolia.net` : undefined);
}

/** Base URL of the site's launch pages, to which a slug is appended: an API host `api.…` has its pages at `www.…`. */
export function buildPagesUrl(apiUrl: string): string {
  const site = new URL("/posts/", apiUrl);
  site.hostname = site.hostname.replace(/^api\./, "www.");
  return site.href;
}

/** A missing setting that leaves answers empty: its effect, and the lines of `.env` that fix it. */
interface MissingSetting {
  detail: string;
  fix: string;
}

/** Finds settings that the service can run without, but not answer usefully. */
export function findMissingSettings(configuration: ListingConfiguration): MissingSetting[] {
  const missing: MissingSetting[] = [];
  if (!configuration.LISTING_API_TOKEN) {
    missing.push({
      detail: "LISTING_API_TOKEN is not set: lists of top launches stay empty.",
      fix: "LISTING_API_TOKEN=your-token",
    });
  }
  if (!getSearchUrl(configuration)) {
    missing.push({
      detail: "LISTING_SEARCH_APP_ID and LISTING_SEARCH_API_KEY are not both set: searches find nothing.",
      fix: "LISTING_SEARCH_APP_ID=your-app-id\nLISTING_SEARCH_API_KEY=your-search-key",
    });
  }
  return missing;
}

/** The source of launches, as shown in `/ready`. */
export function describeSite(source: string, missing: readonly MissingSetting[]): object {
  if (missing.length === 0) return { status: "ok", source };
  return {
    status: "degraded",
    source,
    detail: missing.map(({ detail }) => detail).join(" "),
    fix: missing.map(({ fix }) => fix).join("\n"),
  };
}
