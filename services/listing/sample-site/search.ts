import { z } from "zod";
import type { SampleLaunch } from "./launches.ts";

const searchRequest = z.object({
  query: z.string().default(""),
  hitsPerPage: z.number().int().positive().max(1_000).default(20),
});

/** Responds to an index query: launches that contain all words of the query, else any of them. A tie goes to the most votes. */
export function answerSearch(body: unknown, launches: readonly SampleLaunch[]): object | undefined {
  const parsed = searchRequest.safeParse(body);
  if (!parsed.success) return undefined;
  const { query, hitsPerPage } = parsed.data;
  const asked = splitWords(query);
  const scored = launches
    .map((launch) => ({ launch, found: countMatches(asked, launch) }))
    .filter(({ found }) => found > 0);
  const whole = scored.filter(({ found }) => found === asked.length);
  const hits = (whole.length > 0 ? whole : scored)
    .toSorted((one, other) => other.found - one.found || other.launch.votesCount - one.launch.votesCount)
    .map(({ launch }) => toHit(launch));
  return { hits: hits.slice(0, hitsPerPage), nbHits: hits.length, page: 0, hitsPerPage, query };
}

function countMatches(asked: readonly string[], launch: SampleLaunch): number {
  const held = splitWords(`${launch.name} ${launch.tagline} ${launch.topics.join(" ")}`);
  return asked.filter((word) =>
    held.some((other) => other.startsWith(word) || (other.length > 3 && word.startsWith(other))),
  ).length;
}

function splitWords(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

function toHit(launch: SampleLaunch): object {
  return {
    objectID: launch.id,
    id: launch.id,
    name: launch.name,
    tagline: launch.tagline,
    description: launch.description,
    slug: launch.slug,
    url: `https://example.com/posts/${launch.slug}`,
    website_url: `https://example.com/${launch.slug}`,
    votes_count: launch.votesCount,
    comments_count: launch.commentsCount,
    created_at: launch.featuredAt,
    featured_at: launch.featuredAt,
    topics: launch.topics,
  };
}
