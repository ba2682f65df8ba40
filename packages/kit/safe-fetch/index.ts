export { type FetchedResource, type SafeFetchOptions, safeFetch } from "./safe-fetch.ts";
export { SafeFetchError, type SafeFetchErrorCode } from "./safe-fetch-error.ts";
