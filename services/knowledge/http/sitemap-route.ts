import type { SitemapResponse } from "@agent-backends/contract";
import { problems, sitemapRequestSchema } from "@agent-backends/contract";
import { clientSignal } from "@agent-backends/kit";
import type { App } from "@agent-backends/kit/fastify";
import { SafeFetchError } from "@agent-backends/kit/safe-fetch";
import { readSitemap, SitemapError } from "../ingest/websites/sitemap.ts";
import type { KnowledgeDependencies } from "./dependencies.ts";

/** Lists the pages of a sitemap, which a client then ingests as it likes. */
export function addSitemapRoute(app: App, { sources, guard, lifecycle }: KnowledgeDependencies): void {
  const options = { pages: sources.pages, maxBytes: sources.maxFileBytes, now: () => performance.now() };
  app.post(
    "/api/tools/readSitemap",
    { schema: { body: sitemapRequestSchema }, config: { access: { scope: "write", takes: "ingest" } } },
    async ({ raw, body }, reply): Promise<SitemapResponse> => {
      const caller = { client: guard.getClient(raw), signal: clientSignal(reply.raw, lifecycle) };
      try {
        return await readSitemap(body.url, options, caller);
      } catch (error) {
        if (error instanceof SitemapError || error instanceof SafeFetchError)
          throw problems.unreadableAddress("url", error.message, error);
        throw error;
      }
    },
  );
}
