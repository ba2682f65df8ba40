export { type FetchedResource, type SafeFetchOptions, safeFetch } from "./safe-fetch.ts";
export { NotModifiedError, SafeFetchError, type SafeFetchErrorCode } from "./safe-fetch-error.ts";
