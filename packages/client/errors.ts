import type { InvalidField, ProblemCode } from "./generated/problems.ts";

/** The service, or a proxy in front of it, answered with an error status. The message is the problem's detail. */
export class ProblemError extends Error {
  override readonly name = "ProblemError";
  readonly status: number;
  /** The kind of problem. Undefined if the response isn't from one of our services. */
  readonly code: ProblemCode | undefined;
  readonly title: string | undefined;
  /** The offending fields of the request. */
  readonly errors: readonly InvalidField[];
  readonly headers: Headers;
  /** The origin of the request: `https://agents.example`. */
  readonly origin: string;

  /** @param body the body of the response */
  constructor({ status, headers }: { status: number; headers: Headers }, body: string, url: string) {
    const { type, title, detail, errors } = parseObject(body);
    const origin = getOrigin(url);
    const unexplained = `${origin} answered with status ${status} and no reason: a proxy, or not one of these services.`;
    super(typeof detail === "string" ? detail : unexplained);
    this.status = status;
    this.code = /^urn:agent-backends:problem:(.+)$/.exec(String(type))?.[1] as ProblemCode | undefined;
    this.title = typeof title === "string" ? title : undefined;
    this.errors = Array.isArray(errors) ? errors.filter(isInvalidField) : [];
    this.headers = headers;
    this.origin = origin;
  }
}

/** No response arrived: nothing listens at the address, the network failed, or the browser may not read the response. */
export class ConnectionError extends Error {
  override readonly name = "ConnectionError";
  /** The origin of the request: `https://agents.example`. */
  readonly origin: string;

  constructor(url: string, cause: unknown) {
    const origin = getOrigin(url);
    super(`No response from ${origin}.`, { cause });
    this.origin = origin;
  }
}

/** A stream or export ended before its last event or line. The data that arrived is incomplete. */
export class TruncatedStreamError extends Error {
  override readonly name = "TruncatedStreamError";
  constructor(cause?: unknown) {
    super("The response ended before it was complete.", { cause });
  }
}

/** The response or an event isn't a JSON object, or an event is longer than `maxEventCharacters`. */
export class InvalidResponseError extends Error {
  override readonly name = "InvalidResponseError";
}

/** The stream's own error event: the run has failed. Thrown after the event itself was yielded. */
export class RunError extends Error {
  override readonly name = "RunError";
  constructor(
    message: string,
    /** The error code, in the relay's AG-UI profiles. */
    readonly code?: string,
  ) {
    super(message);
  }
}

const getOrigin = (url: string): string => new URL(url, globalThis.location?.href).origin;

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    // For example the error page of a proxy.
    return {};
  }
}

function isInvalidField(error: Partial<InvalidField> | null): error is InvalidField {
  return typeof error?.pointer === "string" && typeof error.detail === "string";
}
