/** The answer is not HTTP/1.1, or says about its own length what can't be. */
export class HttpSyntaxError extends Error {
  override readonly name = "HttpSyntaxError";
}

/** How the end of a body is found (RFC 9112, section 6.3). */
export type BodyFraming = { kind: "chunked" } | { kind: "length"; bytes: number } | { kind: "until-close" };

export interface ResponseHead {
  status: number;
  /** By lower-case name; values of repeated fields are joined by commas. */
  headers: Record<string, string>;
  framing: BodyFraming;
  /** Whether the connection can serve another request afterwards. */
  keepAlive: boolean;
}

const statusLine = /^HTTP\/1\.([01]) ([1-5]\d\d)(?: |$)/;
const fieldLine = /^([!#$%&'*+.^_`|~\w-]+):[ \t]*(.*?)[ \t]*$/;

/**
 * Reads a response's status line and header fields, without the empty line at their end.
 *
 * @throws HttpSyntaxError
 */
export function parseResponseHead(text: string): ResponseHead {
  const [first = "", ...lines] = text.split(/\r?\n/);
  const [, minor, code] = statusLine.exec(first) ?? [];
  if (code === undefined) throw new HttpSyntaxError("The answer has no HTTP/1.1 status line.");
  const status = Number(code);
  const headers: Record<string, string> = Object.create(null);
  for (const line of lines) {
    const [, name, value] = fieldLine.exec(line) ?? [];
    if (name === undefined || value === undefined) throw new HttpSyntaxError("The answer has a malformed header line.");
    const key = name.toLowerCase();
    const before = headers[key];
    headers[key] = before === undefined ? value : `${before}, ${value}`;
  }
  const framing = framingOf(status, headers);
  const connection = tokens(headers.connection);
  const persistent = minor === "1" ? !connection.includes("close") : connection.includes("keep-alive");
  // Both a length and chunks: someone on the way may have read it otherwise, so nothing that follows is trusted.
  const ambiguous = headers["transfer-encoding"] !== undefined && headers["content-length"] !== undefined;
  return { status, headers, framing, keepAlive: persistent && !ambiguous && framing.kind !== "until-close" };
}

function framingOf(status: number, headers: Record<string, string>): BodyFraming {
  if (status === 204 || status === 304) return { kind: "length", bytes: 0 };
  const codings = tokens(headers["transfer-encoding"]);
  if (codings.length > 0) {
    if (codings.length > 1 || codings[0] !== "chunked") {
      throw new HttpSyntaxError("The answer's transfer coding is not supported.");
    }
    return { kind: "chunked" };
  }
  const lengths = new Set(tokens(headers["content-length"]));
  if (lengths.size === 0) return { kind: "until-close" };
  const [length = ""] = lengths;
  if (lengths.size > 1 || !/^\d{1,15}$/.test(length)) throw new HttpSyntaxError("The answer's length is not clear.");
  return { kind: "length", bytes: Number(length) };
}

function tokens(value: string | undefined): string[] {
  if (value === undefined) return [];
  return value
    .toLowerCase()
    .split(",")
    .map((token) => token.trim());
}
