/**
 * The only GraphQL query that the service sends. Its cost on the site is the number of fields times `first`, so it requests only what a
 * table and an answer need.
 */
export const postsQuery = /* GraphQL */ `
  query Posts($order: PostsOrder!, $first: Int!, $after: String, $postedAfter: DateTime, $postedBefore: DateTime) {
    posts(order: $order, first: $first, after: $after, postedAfter: $postedAfter, postedBefore: $postedBefore) {
      totalCount
      pageInfo {
        hasNextPage
        endCursor
      }
      edges {
        node {
          id
          name
          tagline
          url
          website
          votesCount
          commentsCount
          createdAt
          featuredAt
          description
          thumbnail {
            url
          }
          topics(first: 3) {
            edges {
              node {
                name
              }
            }
          }
        }
      }
    }
  }
`;

/** Every GraphQL document that the service sends, by name. */
export const graphqlQueries: Readonly<Record<string, string>> = { postsQuery };
