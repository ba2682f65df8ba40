import { limits } from "./limits.ts";

/**
 * The kinds of errors that a service returns before a stream starts, as RFC 9457 problem details. The key is the last part of the problem's
 * `type`. `when` is the description in docs/contract.md. Clients rely on key and status: never change them.
 */
export const problemTypes = {
  "not-json": {
    status: 400,
    title: "Bad request",
    when: "the body is empty, not JSON or not UTF-8",
    fix: "send a JSON object in UTF-8",
  },
  "no-message": {
    status: 400,
    title: "Bad request",
    when: "there is no message to answer",
    fix: "send at least one message, the question with the role `user`",
  },
  "bad-request": {
    status: 400,
    title: "Bad request",
    when: "the request can't be read for another reason",
    fix: "correct what the detail names, and send the whole request again",
  },
  unauthorized: {
    status: 401,
    title: "Unauthorized",
    when: "the service needs a key, and none or an invalid one was sent; with `WWW-Authenticate`",
    fix: "send a valid key as `Authorization: Bearer` or `X-API-Key`; [create one](security.md) with `npm run keys`",
  },
  forbidden: {
    status: 403,
    title: "Forbidden",
    when: "the key lacks the route's scope or may not use the namespace, or the page's origin or the host name isn't allowed",
    fix: "use a key that may do this, or add what the detail names to `CORS_ORIGINS` or `ALLOWED_HOSTS`",
  },
  "not-found": {
    status: 404,
    title: "Not found",
    when: "the route, document, namespace, job or run doesn't exist",
    fix: "check the address and the ids in it",
  },
  "method-not-allowed": {
    status: 405,
    title: "Method not allowed",
    when: "the route doesn't accept this method; with `Allow`",
    fix: "use a method that `Allow` lists",
  },
  "not-acceptable": {
    status: 406,
    title: "Not acceptable",
    when: "the route offers no media type the client accepts",
    fix: "leave `Accept` out, or name a media type that the detail lists",
  },
  "too-slow": {
    status: 408,
    title: "Request timeout",
    when: "the request did not arrive in time",
    fix: "send the request again, faster or in smaller parts",
  },
  conflict: {
    status: 409,
    title: "Conflict",
    when: "the namespace has another embedding model than the service or the imported file, the key already has its maximum number of namespaces, the namespace was deleted during an ingest, or a run with this `runId` exists; with its `Location`",
    fix: "do what the detail says: reindex, use another namespace or `runId`, or read the run at its `Location`",
  },
  gone: {
    status: 410,
    title: "Gone",
    when: "the run's events, or the changes since this cursor, are no longer kept; the detail says why",
    fix: "start again: send a new run, or read the changes without a cursor",
  },
  "too-large": {
    status: 413,
    title: "Content too large",
    when: "the request is over a limit of bytes, JSON values or nesting, which the detail names; see [limits](limits.md)",
    fix: "send less, or in several requests",
  },
  "unsupported-media-type": {
    status: 415,
    title: "Unsupported media type",
    when: "the route doesn't accept this media type or charset, or the body is compressed",
    fix: "send the `Content-Type` that the detail names, uncompressed",
  },
  "invalid-input": {
    status: 422,
    title: "Unprocessable content",
    when: "the JSON has the wrong shape; `errors` names every offending field",
    fix: "correct the fields in `errors`",
  },
  "too-many-requests": {
    status: 429,
    title: "Too many requests",
    when: "the key or address is over its limit of requests per minute, or the key is over its limit of tokens per minute or day, or of concurrent streams, ingests, searches or documents; with `Retry-After`",
    fix: "wait for `Retry-After`, then send it again; or raise the key's limit",
  },
  "headers-too-large": {
    status: 431,
    title: "Request header fields too large",
    when: `request line and headers are over ${limits.headBytes / 1_024} KiB`,
    fix: "send shorter headers or a shorter address",
  },
  internal: {
    status: 500,
    title: "Internal server error",
    when: "the service failed; its log has the error",
    fix: "look for the response's `X-Request-Id` in the log",
  },
  "provider-failed": {
    status: 502,
    title: "Bad gateway",
    when: "the model provider failed, on a route that does not stream",
    fix: "do what the detail says; the log and [`/ready`](#get-ready) have more",
  },
  unavailable: {
    status: 503,
    title: "Service unavailable",
    when: "the service is shutting down, not ready, or at its limit of concurrent requests; usually with `Retry-After`",
    fix: "wait for `Retry-After`, then send it again; if it stays, see [`/ready`](#get-ready)",
  },
} as const satisfies Record<string, { status: number; title: string; when: string; fix: string }>;

export type ProblemCode = keyof typeof problemTypes;

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

/** An error in OpenAI's shape, which its SDKs read from a failed response and from the last event of a failed stream. */
export interface OpenAiError {
  message: string;
  type: "invalid_request_error" | "server_error";
  /** The offending field, such as `messages.0.content`. */
  param: string | null;
  code: string | null;
}

/** An error that a client may see. The ones with a fixed sentence are in problems.ts. */
export class ProblemError extends Error {
  override readonly name = "ProblemError";
  readonly code: ProblemCode;
  readonly status: number;
  readonly errors: InvalidField[] | undefined;
  readonly headers: Record<string, string>;

  constructor(
    code: ProblemCode,
    detail: string,
    options: { errors?: InvalidField[]; headers?: Record<string, string>; cause?: unknown } = {},
  ) {
    super(detail, { cause: options.cause });
    this.code = code;
    this.status = problemTypes[code].status;
    this.errors = options.errors;
    this.headers = options.headers ?? {};
  }

  toOpenAiError(): OpenAiError {
    return {
      message: this.message,
      type: this.status < 500 ? "invalid_request_error" : "server_error",
      param: this.errors?.[0]?.pointer.slice(1).replaceAll("/", ".") || null,
      code: this.code,
    };
  }

  /** The body of the response. */
  toJSON(): ProblemDetails {
    return {
      type: `urn:agent-backends:problem:${this.code}`,
      title: problemTypes[this.code].title,
      status: this.status,
      detail: this.message,
      ...(this.errors && { errors: this.errors }),
    };
  }
}
