import { z } from "zod";
import type { PostJson } from "./post-json.ts";
import { UpstreamError } from "./post-json.ts";
import { toProductFromHit } from "./product.ts";
import type { Found, SearchQuery } from "./source.ts";

/** The index refuses longer queries. */
const maxQueryBytes = 512;

const searchAnswer = z.object({
  hits: z.array(z.unknown()),
  nbHits: z.number().int().nonnegative().optional().catch(undefined),
});

/**
 * Creates a client for the site's public search index, which has Algolia's REST API. Calls throw an UpstreamError, or the signal's reason
 * once it aborts.
 *
 * @param options.url host of the index; undefined if the index isn't configured
 * @param options.pagesUrl base URL of the site's launch pages, to which a slug is appended
 */
export function createSearchIndex(options: {
  url: string | undefined;
  index: string;
  applicationId: string | undefined;
  apiKey: string | undefined;
  pagesUrl: string;
  timeoutMs: number;
  postJson: PostJson;
}): (query: SearchQuery, signal?: AbortSignal) => Promise<Found> {
  const { url, index, applicationId, apiKey, pagesUrl, timeoutMs, postJson } = options;
  const headers = {
    ...(applicationId && { "x-algolia-application-id": applicationId }),
    ...(apiKey && { "x-algolia-api-key": apiKey }),
  };

  return async function searchIndex({ query, limit }, signal) {
    if (!url)
      throw new UpstreamError("not_configured", "LISTING_SEARCH_APP_ID and LISTING_SEARCH_API_KEY are not both set");
    const { status, json } = await postJson(`${url}/1/indexes/${encodeURIComponent(index)}/query`, {
      headers,
      body: { query: truncateToBytes(query, maxQueryBytes), hitsPerPage: limit },
      timeoutMs,
      ...(signal && { signal }),
    });
    if (status === 429) throw new UpstreamError("rate_limited", "the search index answered 429");
    if (status === 401 || status === 403) {
      throw new UpstreamError("refused", `the search index answered ${status}: check LISTING_SEARCH_API_KEY`);
    }
    if (status !== 200) throw new UpstreamError("failed", `the search index answered ${status}`);
    const parsed = searchAnswer.safeParse(json);
    if (!parsed.success) throw new UpstreamError("invalid_answer", "the search index's answer has no hits");
    const { hits, nbHits: total } = parsed.data;
    const products = hits.map((hit) => toProductFromHit(hit, pagesUrl)).filter((product) => product !== undefined);
    const complete = total === undefined ? hits.length < limit : total <= limit;
    return { products: products.slice(0, limit), complete, ...(total !== undefined && { total }) };
  };
}

function truncateToBytes(text: string, max: number): string {
  return text.slice(0, new TextEncoder().encodeInto(text, new Uint8Array(max)).read);
}
