import type { ListPayload, Product, Provenance } from "@agent-backends/contract";
import { oneLine } from "../render/text.ts";
import type { Grounding } from "./action.ts";

const maxDescriptionLength = 240;

const readTable = `The user already sees a table of the payload below, with its window and source. Add what helps them to read it in two to four sentences: do not repeat the table.
"total" says how many launches there are in all; the posts are only those that the table shows. When the user asks how many, begin with that number; where it is missing, say that the source does not count them.
Where the payload has "topic", "excluded_topics", "min_votes" or "max_votes", the "matched" launches are those of the "examined" ones that fulfil it. None of them mentions the "unknown_topic", so the list is not limited to it. With "ascending" the fewest votes come first; "sort" names another order.
Use only names, numbers and dates that are in the payload. Where it does not say something, say that you do not know.`;

const nothingFound = `The payload below holds no launches, and the user has already been told why. Do not name any launch and do not guess.
Say in one sentence what they could ask instead, then give a piece of launch advice that fits their message.`;

/** The model's task and facts for a list, with the launches in the table's order. */
export function groundInList(payload: ListPayload): Grounding {
  const { table: _table, status: _status, reason: _reason, partial: _partial, source: _source, ...facts } = payload;
  const note = describeProvenance(payload);
  const firstRank = facts.ascending || facts.sort ? undefined : (facts.offset ?? 0) + 1;
  const toFacts = (products: Product[]) =>
    products.map((product, index) => toProductFacts(product, firstRank && firstRank + index));
  const launches = "hits" in facts ? { hits: toFacts(facts.hits) } : { posts: toFacts(facts.posts) };
  const isEmpty = ("hits" in payload ? payload.hits : payload.posts).length === 0;
  return {
    task: isEmpty ? nothingFound : readTable,
    isEmpty,
    facts: { ...facts, ...launches, ...(note && { note }) },
  };
}

function describeProvenance({ status, partial }: Provenance): string | undefined {
  if (status === "unavailable") return "The source did not answer, so what launched is not known.";
  if (status === "empty") return "The source answered and has none.";
  if (status === "stale") return "The source does not answer now; this is its last answer.";
  return partial ? "The source has more that was not read." : undefined;
}

/** Leaves out unknown fields. */
function toProductFacts(
  { id: _id, thumbnailUrl: _image, website: _site, ...product }: Product,
  rank: number | undefined,
): object {
  const facts = {
    rank,
    ...product,
    description: product.description && oneLine(product.description, maxDescriptionLength),
  };
  return Object.fromEntries(
    Object.entries(facts).filter(([, value]) => value !== undefined && value !== null && value !== ""),
  );
}
