import type { FetchedResource, SafeFetchOptions } from "./safe-fetch.ts";

export type { FetchedResource, SafeFetchOptions } from "./safe-fetch.ts";
export { NotModifiedError, SafeFetchError, type SafeFetchErrorCode } from "./safe-fetch-error.ts";

/** See `./safe-fetch.ts`. Its HTTP client takes a tenth of a service's start, so the first address loads it. */
export async function safeFetch(url: string, options: SafeFetchOptions): Promise<FetchedResource> {
  const loaded = await import("./safe-fetch.ts");
  return loaded.safeFetch(url, options);
}
