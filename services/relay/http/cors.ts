import type { CorsOptions } from "cors";

/** Browsers of any origin may call, and may read how long to wait. */
export const anyOrigin = {
  methods: ["GET", "HEAD", "PUT", "PATCH", "POST", "DELETE"],
  exposedHeaders: ["Retry-After", "X-Request-Id"],
} satisfies CorsOptions;
