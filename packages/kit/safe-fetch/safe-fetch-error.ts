export type SafeFetchErrorCode =
  | "invalid_url"
  | "forbidden_address"
  | "unreachable"
  | "timed_out"
  | "too_large"
  | "http_status";

/** Why a URL can't be fetched. The message is for the user who gave it. */
export class SafeFetchError extends Error {
  override readonly name = "SafeFetchError";
  readonly code: SafeFetchErrorCode;

  constructor(code: SafeFetchErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** The URL's content is unchanged since an earlier fetch. */
export class NotModifiedError extends Error {
  override readonly name = "NotModifiedError";

  constructor(url: string) {
    super(`${url} is not modified.`);
  }
}
