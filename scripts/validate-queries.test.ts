import { expect, test } from "vitest";
import { findQueryErrors } from "./validate-queries.ts";

const schema = `
  scalar DateTime
  enum PostsOrder { VOTES RANKING }
  type Media { url: String! }
  type Topic { name: String! }
  type TopicEdge { node: Topic! }
  type TopicConnection { edges: [TopicEdge!]! }
  type Post {
    id: ID! name: String! tagline: String! url: String! website: String! votesCount: Int! commentsCount: Int!
    createdAt: DateTime! featuredAt: DateTime description: String thumbnail: Media topics(first: Int): TopicConnection!
  }
  type PageInfo { hasNextPage: Boolean! endCursor: String }
  type PostEdge { node: Post! }
  type PostConnection { edges: [PostEdge!]! pageInfo: PageInfo! totalCount: Int! }
  type Query {
    posts(order: PostsOrder, first: Int, after: String, postedAfter: DateTime, postedBefore: DateTime): PostConnection!
  }
`;

test("every query that the listing service sends fits a schema with the fields it reads", () => {
  expect(findQueryErrors(schema)).toEqual([]);
});

test("a field or an argument that the schema does not have is an error that names its query", () => {
  expect(findQueryErrors(schema.replace("votesCount: Int!", ""))).toEqual([
    expect.stringContaining("postsQuery: Cannot query field"),
  ]);
  expect(findQueryErrors(schema.replace(", postedBefore: DateTime", ""))).toEqual([
    expect.stringContaining('"postedBefore"'),
  ]);
});
