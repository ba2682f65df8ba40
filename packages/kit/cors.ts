import { limits } from "@agent-backends/contract";
import { requestIdHeader } from "./observability/request-headers.ts";
import { providerHeader } from "./streams/streamed-body.ts";

/**
 * The options of the CORS plugins. Pages may also read how long to wait, and the request's id.
 *
 * @param origins the origins of pages that may call. Undefined: any
 * @param headers further headers of answers that pages may read
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
