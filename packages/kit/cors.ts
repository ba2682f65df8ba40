import { limits } from "@agent-backends/contract";
import { requestIdHeader } from "./observability/request-headers.ts";
import { providerHeader } from "./streams/streamed-body.ts";

/**
 * Options of the CORS plugins. Pages may also read the retry delay and the request's id.
 *
 * @param origins origins of pages that may call. Undefined: any
 * @param headers further response headers that pages may read
 */
export const corsOptions = (origins: readonly string[] | undefined, headers: readonly string[]) => ({
  origin: origins === undefined ? "*" : [...origins],
  methods: ["GET", "HEAD", "PUT", "PATCH", "POST", "DELETE"],
  maxAge: limits.preflightSeconds,
  exposedHeaders: [
    ...["Retry-After", "RateLimit", "RateLimit-Policy", ...headers],
    ...[requestIdHeader, providerHeader],
  ],
});
