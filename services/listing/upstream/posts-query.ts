/**
 * The one GraphQL query that the service sends. Its cost on the site grows with the fields times `first`, so it asks
 * for what a table and an answer need, and no more.
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
