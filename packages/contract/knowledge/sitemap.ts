import { z } from "zod";
import { warningsSchema } from "../shapes.ts";

export const sitemapRequestSchema = z.object({
  url: z
    .string({ error: ({ input }) => (input === undefined ? "is missing" : "must be text") })
    .transform((url) => url.trim()),
});

export const sitemapResponseSchema = z.object({
  url: z.string(),
  /** Each once, in the sitemap's order. */
  pages: z.array(z.object({ url: z.string(), lastmod: z.iso.datetime().optional() })),
  /** Addresses of other hosts, and what is no http(s) address. */
  skipped: z.int().nonnegative(),
  /** Whether there are more pages than a limit allows. */
  truncated: z.boolean(),
  /** Sitemaps of an index that can't be read. */
  errors: z.array(z.object({ url: z.string(), error: z.string(), code: z.string() })),
  warnings: warningsSchema,
});

export type SitemapResponse = z.output<typeof sitemapResponseSchema>;
