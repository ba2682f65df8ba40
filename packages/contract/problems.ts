/**
 * Every error that a service answers with before a stream starts, as RFC 9457 problem details.
 * The key is the last part of the problem's `type`; status and title never change for a key.
 */
export const problems = {
  "not-json": { status: 400, title: "The body is not JSON" },
  "bad-request": { status: 400, title: "The request could not be read" },
  "no-message": { status: 400, title: "There is no message to answer" },
  unauthorized: { status: 401, title: "Credentials are missing or wrong" },
  forbidden: { status: 403, title: "These credentials do not reach that far" },
  "not-found": { status: 404, title: "There is nothing at this address" },
  "method-not-allowed": { status: 405, title: "This address does not take that method" },
  "not-acceptable": { status: 406, title: "The answer has no such form" },
  "too-slow": { status: 408, title: "The request took too long to arrive" },
  conflict: { status: 409, title: "The request does not fit what is stored" },
  "too-large": { status: 413, title: "The request is over a size limit" },
  "unsupported-media-type": { status: 415, title: "The body has the wrong media type" },
  "invalid-input": { status: 422, title: "The body does not have the right shape" },
  "too-many-requests": { status: 429, title: "Too many requests" },
  "headers-too-large": { status: 431, title: "The request's headers are over a size limit" },
  internal: { status: 500, title: "The service failed" },
  "provider-failed": { status: 502, title: "The model provider failed" },
  unavailable: { status: 503, title: "The service is not available now" },
} as const satisfies Record<string, { status: number; title: string }>;

export type ProblemName = keyof typeof problems;

/** One offending field: an RFC 6901 JSON pointer into the body, and what is wrong there. */
export interface InvalidField {
  pointer: string;
  detail: string;
}

/** The body of an `application/problem+json` answer (RFC 9457). */
export interface ProblemDetails {
  type: string;
  title: string;
  status: number;
  /** One sentence that the caller can act on. */
  detail: string;
  errors?: InvalidField[];
}
