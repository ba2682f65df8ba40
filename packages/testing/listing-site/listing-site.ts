import { once } from "node:events";
import type { IncomingHttpHeaders, IncomingMessage } from "node:http";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Behaviour } from "./behaviour.ts";
import { json, misbehave } from "./behaviour.ts";
import type { SitePost } from "./posts.ts";
import { buildPage } from "./posts.ts";

/** A request that the stand-in site received. */
export interface SiteRequest {
  upstream: "graphql" | "search";
  url: string;
  headers: IncomingHttpHeaders;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies whose shape they assert.
  body: any;
  /** True once the caller has closed the connection without a response. */
  aborted: boolean;
}

/** A stand-in for the listing site and its search index. Tests control its responses. */
export interface ListingSite {
  readonly graphqlUrl: string;
  readonly searchUrl: string;
  /** Variables that make the listing service use this site and its search index. */
  readonly variables: Record<string, string>;
  readonly requests: SiteRequest[];
  /** The site's posts, in ranking order. */
  posts: SitePost[];
  /** The search index's results for any query. */
  hits: unknown[];
  /** If false, the ranking also returns posts of other days. */
  strictDays: boolean;
  behaviour: Behaviour;
  close(): Promise<void>;
}

/** Starts the stand-in on a free loopback port. Initially it lists nothing and responds normally. */
export async function startListingSite(): Promise<ListingSite> {
  const server = createServer(async (request, response) => {
    const upstream = request.url === "/graphql" ? "graphql" : "search";
    const body = JSON.parse(await readText(request));
    const seen: SiteRequest = { upstream, url: request.url ?? "", headers: request.headers, body, aborted: false };
    site.requests.push(seen);
    response.once("close", () => {
      seen.aborted = !response.writableFinished;
    });
    if (await misbehave(site.behaviour, response)) return;
    const answer =
      upstream === "graphql" ? buildPage(site.posts, body.variables ?? {}, site.strictDays) : buildHits(site.hits);
    json(response, 200, answer);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const graphqlUrl = `${origin}/graphql`;
  const site: ListingSite = {
    graphqlUrl,
    searchUrl: origin,
    variables: {
      LISTING_API_URL: graphqlUrl,
      LISTING_API_TOKEN: "test-token",
      LISTING_SEARCH_URL: origin,
      LISTING_SEARCH_APP_ID: "APP",
      LISTING_SEARCH_API_KEY: "public",
    },
    requests: [],
    posts: [],
    hits: [],
    strictDays: true,
    behaviour: { kind: "well" },
    async close() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
  return site;
}

function buildHits(hits: unknown[]): object {
  return { hits, nbHits: hits.length, page: 0, nbPages: 1, hitsPerPage: 20 };
}

async function readText(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks).toString();
}
