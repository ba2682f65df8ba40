import type { ServiceName } from "@agent-backends/testing";
import type { Body } from "./malformed-bodies.ts";
import { malformedBody } from "./malformed-bodies.ts";
import { Random } from "./random.ts";
import { wellMadeRequests } from "./well-made-requests.ts";

/** The data that a client sends over one connection. */
export interface Sending {
  /** Each piece is sent separately, a moment after the previous one. */
  pieces: Buffer[];
  /** Whether the client breaks the connection once everything is sent. */
  shouldDisconnect: boolean;
}

const methods = [
  "GET",
  "PUT",
  "PATCH",
  "DELETE",
  "HEAD",
  "OPTIONS",
  "TRACE",
  "BREW",
  "get",
  "PRI",
  "CONNECT",
  "M-SEARCH",
  "",
];
const versions = ["HTTP/1.0", "HTTP/0.9", "HTTP/2.0", "HTTP/1.9", "http/1.1", "HTTP/1.1 ", "", "RTSP/1.0"];
const endings = [
  ...["/", "/..", "/../../etc/passwd", "%", "%ff", "%00", "?a=%E0%A4%A", "//", "\u00e9", "?limit=-1", "#", "\\", " x"],
  ...[
    "/x".repeat(500),
    "x".repeat(9_000),
    `?${"a=1&".repeat(1_500)}`,
    "?__proto__[a]=1",
    "?limit=1&limit=2",
    "/%2e%2e/",
  ],
];
const oddHeaders = [
  ...["Expect: 100-continue", "Expect: something", "Accept: text/event-stream", "Accept: ;;q=x", "Range: bytes=9-1"],
  ...["X-Request-Id: \u00ff\u00fe", "X-Request-Id: a\tb", "traceparent: 00-0-0-00", "tracestate: ,,,=", "Origin: null"],
  ...["Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: x\r\nSec-WebSocket-Version: 13"],
  ...["Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__", "Connection: ,"],
  ...["Host: ", "Host: a\r\nHost: b", "Host: a b", "Cookie: a=b; ;;=", "Forwarded: for=x", "X-Forwarded-For: ,,,"],
  ...["Authorization: Basic ////", "Authorization: Bearer a.b.c", "X-API-Key: \u0080", "Origin: http://x\r\nOrigin: y"],
  ...["X: a\r\n folded", "X: a\rSet-Cookie: b", "X: a\nb: c", "X: \u0000", "X : y", ": y", "X", "\u00e9: y", " X: y"],
  ...[`X: ${"x".repeat(20_000)}`, `${"A: b\r\n".repeat(3_000)}C: d`, "Access-Control-Request-Method: \u007f"],
];

/**
 * An endless sequence of sendings, each derived from a well-made request by a few faults. The same seed gives the same sequence.
 *
 * @param always headers of all requests, such as a key
 */
export function* malformedRequests(
  service: ServiceName,
  seed: number,
  always: string[] = [],
): Generator<Sending, never> {
  const random = new Random(seed);
  for (;;) {
    let bytes = request(service, random, always);
    // Several requests at once, whose responses nobody waits for.
    while (random.chance(0.05)) bytes = Buffer.concat([bytes, request(service, random, always)]);
    if (random.chance(0.03)) bytes = bytes.subarray(0, 1 + random.below(bytes.length));
    if (random.chance(0.02)) bytes = Buffer.concat([bytes, random.bytes(100)]);
    yield { pieces: random.chance(0.05) ? cut(bytes, random) : [bytes], shouldDisconnect: random.chance(0.05) };
  }
}

function request(service: ServiceName, random: Random, always: string[]): Buffer {
  const wellMade = random.pick(wellMadeRequests[service]);
  const body = malformedBody(wellMade, random);
  const method = random.chance(0.1) ? random.pick(methods) : wellMade.method;
  const { headers, bytes } = framed(body, random);
  const host = random.chance(0.02) ? [] : ["Host: localhost"];
  const ending = random.chance(0.2) ? [] : ["Connection: close"];
  const more = random.chance(0.25) ? [random.pick(oddHeaders)] : [];
  const version = random.chance(0.03) ? random.pick(versions) : "HTTP/1.1";
  const lines = [
    `${method} ${buildTarget(wellMade.path, random)} ${version}`,
    ...host,
    ...always,
    ...headers,
    ...ending,
    ...more,
  ];
  const head = Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1");
  // Node.js itself closes the connection of a PRI request without a version, because it looks like the start of HTTP/2.
  return Buffer.concat([method !== "PRI" && random.chance(0.05) ? random.damage(head) : head, bytes]);
}

function buildTarget(path: string, random: Random): string {
  if (random.chance(0.15)) return path + random.pick(endings);
  if (random.chance(0.03))
    return random.pick(["*", "", "x:80", `http://elsewhere${path}`, `ftp:${path}`, "//", "\u0000"]);
  // Another name of a namespace or id of a document, escaped so that it arrives unchanged.
  const name = random.pick(["\u0000", "..", ".", "\u202e", " ", "*", "é", "a/b", "x".repeat(3_000), "__proto__"]);
  return random.chance(0.15) ? path.replace(/\/(n|[\da-f-]{32,36})(?=\/|$)/, `/${encodeURIComponent(name)}`) : path;
}

/** Declares where a body ends, sometimes wrongly. */
function framed({ headers, bytes }: Body, random: Random): Body {
  const length = `Content-Length: ${bytes.length}`;
  const wrong = () => `Content-Length: ${random.pick([0, 3, bytes.length + 5, -1, 1e20, "0x10", "+1", "", "1, 1"])}`;
  if (random.chance(0.8)) return { headers: [...headers, length], bytes };
  switch (random.below(5)) {
    case 0:
      return { headers: [...headers, wrong()], bytes };
    case 1:
      return { headers: [...headers, length, wrong()], bytes };
    case 2:
      return {
        headers: [...headers, "Transfer-Encoding: chunked", ...(random.chance(0.2) ? [length] : [])],
        bytes: chunks(bytes, random),
      };
    case 3:
      return {
        headers: [...headers, `Transfer-Encoding: ${random.pick(["identity", "gzip", "chunked, chunked", "x"])}`],
        bytes,
      };
    default:
      return { headers, bytes };
  }
}

function chunks(bytes: Buffer, random: Random): Buffer {
  const size = random.chance(0.7)
    ? bytes.length.toString(16)
    : random.pick(["-1", "ffffffffffffffff", "0x5", "", "z", "1"]);
  const extension = random.chance(0.9) ? "" : `;${"a=b;".repeat(random.below(6_000))}`;
  const end = random.chance(0.8)
    ? "\r\n0\r\n\r\n"
    : random.pick(["", "\r\n0\r\n", "\r\n0\r\nTrailer: x\r\n\r\n", "0", "\n0\n\n"]);
  return Buffer.concat([Buffer.from(`${size}${extension}\r\n`), bytes, Buffer.from(end)]);
}

function cut(bytes: Buffer, random: Random): Buffer[] {
  const places = Array.from({ length: 1 + random.below(4) }, () => random.below(bytes.length)).sort(
    (one, other) => one - other,
  );
  return [0, ...places].map((place, index) => bytes.subarray(place, places[index] ?? bytes.length));
}
