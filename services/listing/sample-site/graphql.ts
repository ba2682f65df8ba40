import { z } from "zod";
import type { SampleLaunch } from "./launches.ts";

const pageSize = 20;

const postsRequest = z.object({
  variables: z.object({
    order: z.enum(["VOTES", "RANKING", "NEWEST", "FEATURED_AT"]).default("RANKING"),
    first: z.number().int().positive().nullish(),
    after: z.string().nullish(),
    postedAfter: z.iso.datetime({ offset: true }).nullish(),
    postedBefore: z.iso.datetime({ offset: true }).nullish(),
  }),
});

/** Responds to the service's `posts` query by its variables, in pages like the real site. Undefined for another query. */
export function answerPosts(body: unknown, launches: readonly SampleLaunch[]): object | undefined {
  const parsed = postsRequest.safeParse(body);
  if (!parsed.success) return undefined;
  const { order, first, after, postedAfter, postedBefore } = parsed.data.variables;
  const byVotes = order === "VOTES" || order === "RANKING";
  const matching = launches
    .filter(({ featuredAt }) => !postedAfter || Date.parse(featuredAt) >= Date.parse(postedAfter))
    .filter(({ featuredAt }) => !postedBefore || Date.parse(featuredAt) < Date.parse(postedBefore))
    .toSorted((one, other) =>
      byVotes ? other.votesCount - one.votesCount : Date.parse(other.featuredAt) - Date.parse(one.featuredAt),
    );
  const from = after ? Number(Buffer.from(after, "base64").toString()) || 0 : 0;
  const to = from + Math.min(first ?? pageSize, pageSize);
  return {
    data: {
      posts: {
        totalCount: matching.length,
        pageInfo: { hasNextPage: to < matching.length, endCursor: toCursor(to) },
        edges: matching
          .slice(from, to)
          .map((launch, index) => ({ cursor: toCursor(from + index + 1), node: toNode(launch) })),
      },
    },
  };
}

function toNode({ topics, slug, ...launch }: SampleLaunch): object {
  return {
    ...launch,
    slug,
    url: `https://example.com/posts/${slug}`,
    website: `https://example.com/${slug}`,
    createdAt: launch.featuredAt,
    thumbnail: null,
    topics: { edges: topics.map((name) => ({ node: { name, slug: name.toLowerCase().replaceAll(" ", "-") } })) },
  };
}

function toCursor(offset: number): string {
  return Buffer.from(String(offset)).toString("base64");
}
