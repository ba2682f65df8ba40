import type { Product } from "@agent-backends/contract";
import { z } from "zod";

// The site sends this text for fields that the caller's token can't read.
const redacted = /^\[?redacted\]?$/i;

const lenientText = z
  .string()
  .transform((value) => value.toWellFormed().trim())
  .refine((value) => value !== "" && !redacted.test(value))
  .optional()
  .catch(undefined);
const lenientNumber = z.number().int().nonnegative().optional().catch(undefined);
const lenientTime = z
  .union([z.string(), z.number().transform((seconds) => seconds * 1000)])
  .transform((value) => new Date(value))
  .refine((date) => !Number.isNaN(date.getTime()))
  .transform((date) => date.toISOString().replace(".000Z", "Z"))
  .optional()
  .catch(undefined);
const webAddress = /^https?:\/\/[^\s]+$/i;
const lenientUrl = lenientText.transform((value) => (value && webAddress.test(value) ? value : undefined));
const identifier = z.union([z.string().min(1), z.number().transform(String)]);
const lenientThumbnail = z.object({ url: lenientUrl }).optional().catch(undefined);
const topicNames = (topics: (string | undefined)[]) => topics.filter((topic) => topic !== undefined);

const post = z.object({
  id: identifier,
  name: lenientText,
  tagline: lenientText,
  url: lenientUrl,
  website: lenientUrl,
  votesCount: lenientNumber,
  commentsCount: lenientNumber,
  createdAt: lenientTime,
  featuredAt: lenientTime,
  description: lenientText,
  thumbnail: lenientThumbnail.nullable().catch(undefined),
  topics: z
    .object({ edges: z.array(z.object({ node: z.object({ name: lenientText }) })) })
    .optional()
    .catch(undefined),
});

/** Converts a node of the site's `posts`. Undefined if it has no id. Fields of the wrong type count as missing. */
export function toProductFromPost(node: unknown): Product | undefined {
  const parsed = post.safeParse(node);
  if (!parsed.success) return undefined;
  const { thumbnail, topics, ...fields } = parsed.data;
  return fillProduct({
    ...fields,
    thumbnailUrl: thumbnail?.url,
    topics: topicNames(topics?.edges.map((edge) => edge.node.name) ?? []),
  });
}

const hit = z.object({
  objectID: identifier.optional().catch(undefined),
  id: identifier.optional().catch(undefined),
  name: lenientText,
  tagline: lenientText,
  slug: lenientText,
  url: lenientText,
  website_url: lenientUrl,
  votes_count: lenientNumber,
  comments_count: lenientNumber,
  created_at: lenientTime,
  featured_at: lenientTime,
  description: lenientText,
  thumbnail: lenientThumbnail.nullable().catch(undefined),
  topics: z
    .array(z.union([z.object({ name: lenientText }).transform(({ name }) => name), lenientText]))
    .optional()
    .catch(undefined),
});

/**
 * Converts a hit of the search index. Undefined if it has no id.
 *
 * @param pagesUrl base URL of the site's launch pages, to which a slug is appended
 */
export function toProductFromHit(value: unknown, pagesUrl: string): Product | undefined {
  const parsed = hit.safeParse(value);
  if (!parsed.success) return undefined;
  const fields = parsed.data;
  const id = fields.id ?? fields.objectID;
  if (id === undefined) return undefined;
  const page = fields.url ?? (fields.slug && `${pagesUrl}${encodeURIComponent(fields.slug)}`);
  const url = page && URL.canParse(page, pagesUrl) ? new URL(page, pagesUrl).href : undefined;
  return fillProduct({
    id,
    name: fields.name,
    tagline: fields.tagline,
    url: url && webAddress.test(url) ? url : fields.website_url,
    website: fields.website_url,
    votesCount: fields.votes_count,
    commentsCount: fields.comments_count,
    createdAt: fields.created_at,
    featuredAt: fields.featured_at,
    description: fields.description,
    thumbnailUrl: fields.thumbnail?.url,
    topics: topicNames(fields.topics ?? []),
  });
}

type PartialProduct = { [Field in Exclude<keyof Product, "id">]?: Product[Field] | undefined } & { id: string };

function fillProduct({ id, name, tagline, url, votesCount, topics, ...further }: PartialProduct): Product {
  return {
    id,
    name: name ?? "(name not given)",
    tagline: tagline ?? "",
    url: url ?? "",
    votesCount: votesCount ?? null,
    ...(Object.fromEntries(Object.entries(further).filter(([, value]) => value !== undefined)) as Partial<Product>),
    ...(topics && topics.length > 0 && { topics }),
  };
}
