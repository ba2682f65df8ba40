// Generated from packages/contract by `npm run docs:tables`. Change it there.

export type ProblemCode =
  | "not-json"
  | "no-message"
  | "bad-request"
  | "unauthorized"
  | "forbidden"
  | "not-found"
  | "method-not-allowed"
  | "not-acceptable"
  | "too-slow"
  | "conflict"
  | "gone"
  | "too-large"
  | "unsupported-media-type"
  | "invalid-input"
  | "too-many-requests"
  | "headers-too-large"
  | "internal"
  | "provider-failed"
  | "unavailable";

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
  /** One sentence that names the offending value, the rule and the fix. */
  detail: string;
  errors?: InvalidField[];
}
