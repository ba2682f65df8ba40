export { safeFetch } from "./safe-fetch.ts";
export { NotModifiedError, SafeFetchError } from "./safe-fetch-error.ts";
