import type { FetchedResource, SafeFetchOptions } from "./safe-fetch.ts";

export { NotModifiedError, SafeFetchError } from "./safe-fetch-error.ts";

/** See safe-fetch.ts, which is loaded with the first address: undici would take a twentieth of the service's start. */
export const safeFetch = async (url: string, options: SafeFetchOptions): Promise<FetchedResource> =>
  (await import("./safe-fetch.ts")).safeFetch(url, options);
