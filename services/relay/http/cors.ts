import type { CorsOptions } from "cors";

/** Pages of these origins may call, of any where none are named; they may read how long to wait. */
export const corsOptions = (origins: readonly string[] | undefined) =>
  ({
    origin: origins === undefined ? "*" : [...origins],
    methods: ["GET", "HEAD", "PUT", "PATCH", "POST", "DELETE"],
    exposedHeaders: ["Retry-After", "X-Request-Id"],
  }) satisfies CorsOptions;
