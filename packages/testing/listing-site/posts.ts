/** A post of the stand-in site. Missing fields get a default; `null` and invalid values are sent unchanged. */
export interface SitePost {
  id: string;
  name?: unknown;
  tagline?: unknown;
  url?: unknown;
  votesCount?: unknown;
  commentsCount?: unknown;
  createdAt?: unknown;
  featuredAt?: unknown;
  [field: string]: unknown;
}

const pageSize = 20;

interface Variables {
  order?: string;
  after?: string;
  postedAfter?: string;
  postedBefore?: string;
}

/**
 * Builds a page of the site's `posts`, by cursor. It has at most 20 posts, whatever `first` says.
 *
 * @param strictDays if false, also returns posts of other days, as the real site's ranking may
 */
export function buildPage(posts: readonly SitePost[], variables: Variables, strictDays: boolean): object {
  const { order, after, postedAfter, postedBefore } = variables;
  const matching = posts.filter((post) => {
    const posted = String(post.featuredAt ?? post.createdAt ?? "");
    return !strictDays || ((!postedAfter || posted >= postedAfter) && (!postedBefore || posted < postedBefore));
  });
  if (order === "VOTES") matching.sort((one, other) => Number(other.votesCount ?? 0) - Number(one.votesCount ?? 0));
  const from = after ? Number(atob(after)) : 0;
  const page = matching.slice(from, from + pageSize);
  return {
    data: {
      posts: {
        totalCount: matching.length,
        pageInfo: { hasNextPage: from + pageSize < matching.length, endCursor: btoa(String(from + page.length)) },
        edges: page.map((post, index) => ({ cursor: btoa(String(from + index + 1)), node: toNode(post) })),
      },
    },
  };
}

function toNode(post: SitePost): object {
  return {
    name: `Product ${post.id}`,
    tagline: `What ${post.id} does`,
    slug: post.id,
    url: `https://listing.example/posts/${post.id}`,
    website: `https://listing.example/r/${post.id}`,
    votesCount: 1,
    commentsCount: 0,
    createdAt: post.featuredAt ?? null,
    featuredAt: null,
    description: null,
    thumbnail: null,
    topics: { edges: [] },
    ...post,
  };
}
