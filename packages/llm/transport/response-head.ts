import { HttpSyntaxError } from "../errors/failures.ts";

/** How the end of a body is determined (RFC 9112, section 6.3). */
export type BodyFraming = { kind: "chunked" } | { kind: "length"; bytes: number } | { kind: "until-close" };

export interface ResponseHead {
  status: number;
  /** Only the fields that the transport uses, by lower-case name. Values of repeated fields are joined with commas. */
  headers: Record<string, string>;
  framing: BodyFraming;
  /** Whether the connection can be reused for another request. */
  keepAlive: boolean;
}

// The status line, then one line per field: name, colon, value. Folded lines are rejected.
const head = /^HTTP\/1\.([01]) ([1-5]\d\d)(?: [^\r\n]*)?((?:\r?\n[!#$%&'*+.^_`|~\w-]+:[^\r\n]*)*)$/;
const wantedFields =
  /\n(connection|content-encoding|content-length|content-type|retry-after|retry-after-ms|transfer-encoding):([^\r\n]*)/gi;

/**
 * Parses the status line and the header fields, without the empty line after them.
 *
 * @throws HttpSyntaxError
 */
export function parseResponseHead(text: string): ResponseHead {
  const [, minor, code, fields] = head.exec(text) ?? [];
  if (code === undefined || fields === undefined)
    throw new HttpSyntaxError("The answer's head is not that of HTTP/1.1.");
  const status = Number(code);
  const headers: Record<string, string> = {};
  for (const [, name = "", value = ""] of fields.matchAll(wantedFields)) {
    const key = name.toLowerCase();
    headers[key] = headers[key] === undefined ? value.trim() : `${headers[key]}, ${value.trim()}`;
  }
  const framing = parseFraming(status, headers);
  const connection = tokens(headers.connection);
  const persistent = minor === "1" ? !connection.includes("close") : connection.includes("keep-alive");
  // With both a length and chunks, a proxy may have framed the body differently (response smuggling).
  const ambiguous = headers["transfer-encoding"] !== undefined && headers["content-length"] !== undefined;
  return { status, headers, framing, keepAlive: persistent && !ambiguous && framing.kind !== "until-close" };
}

function parseFraming(status: number, headers: Record<string, string>): BodyFraming {
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
