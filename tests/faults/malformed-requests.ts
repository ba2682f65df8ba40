import type { ServiceName } from "@agent-backends/testing";

const relay: [string, string, object?][] = [
  [
    "POST",
    "/agent",
    {
      threadId: "t",
      runId: "r",
      messages: [{ id: "1", role: "user", content: "Hi" }],
      tools: [],
      context: [],
      state: {},
      forwardedProps: {},
    },
  ],
  [
    "POST",
    "/agent",
    {
      threadId: "t",
      runId: "r",
      protocolVersion: "1.0",
      messages: [
        { id: "1", role: "user", content: [{ type: "text", text: "Hi" }] },
        {
          id: "2",
          role: "assistant",
          toolCalls: [{ id: "c", type: "function", function: { name: "f", arguments: "{}" } }],
        },
      ],
    },
  ],
  ["GET", "/health"],
  ["GET", "/ready"],
];

/** Well-made requests, whose mutants are sent. */
const wellMade: Record<ServiceName, [string, string, object?][]> = {
  "relay-express": relay,
  "relay-nest": relay,
  knowledge: [
    [
      "POST",
      "/api/tools/ingest",
      { namespace: "n", sources: [{ type: "text", value: "A text.", title: "T" }, "another"] },
    ],
    ["POST", "/api/tools/searchDocs", { namespace: "n", query: "text", max_results: 3 }],
    ["POST", "/api/agents/knowledge/generate", { messages: [{ role: "user", content: "Hi" }], namespace: "n" }],
    [
      "POST",
      "/stream",
      { thread_id: "t", run_id: "r", messages: [{ role: "user", content: "Hi" }], tool_params: { namespace: "n" } },
    ],
    ["GET", "/api/namespaces?limit=5&cursor=abc"],
    ["GET", "/api/namespaces/n/documents?limit=5"],
    ["GET", "/api/namespaces/n/documents/0123456789abcdef0123456789abcdef"],
    ["DELETE", "/api/namespaces/n/documents/0123456789abcdef0123456789abcdef"],
    ["GET", "/api/jobs/0123456789abcdef"],
    ["POST", "/mcp", { jsonrpc: "2.0", id: 1, method: "tools/list" }],
  ],
  listing: [
    [
      "POST",
      "/agent",
      {
        messages: [{ role: "user", content: "top 3 launches yesterday" }],
        thread_id: "t",
        tool_params: { timeframe: "today", limit: 3 },
      },
    ],
    ["POST", "/tools/top", { limit: 3 }],
    ["POST", "/tools/top_timeframe", { timeframe: "from:2026-01-01 to:2026-01-05", tz: "UTC" }],
    ["POST", "/tools/search", { query: "x", limit: 3 }],
    ["POST", "/tools/confetti", { colors: ["#ff0000"], particleCount: 50 }],
    ["POST", "/mcp", { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "x", arguments: {} } }],
    ["GET", "/"],
  ],
};

const oddValues: unknown[] = [
  ...[null, true, -1, 0.5, 1e308, "", " ", "\u0000", "\ud800", "\u202e", "../..", "a".repeat(5_000), [], {}, [[[[]]]]],
  ...[
    { __proto__: { polluted: true } },
    { constructor: { prototype: {} } },
    "data: [DONE]\n\n",
    "{{7*7}}",
    "'; --",
    "%00",
  ],
];
const oddHeaders = [
  ...[
    "Content-Type: text/plain",
    "Content-Type: application/json; charset=utf-16",
    "Content-Type: multipart/form-data",
  ],
  ...[
    "Content-Type: multipart/form-data; boundary=x",
    "Content-Encoding: gzip",
    "Content-Encoding: br",
    "Expect: 100-continue",
  ],
  ...[
    "Accept: text/event-stream",
    "X-Request-Id: \u00ff\u00fe",
    "traceparent: 00-0-0-00",
    "Upgrade: websocket",
    "Range: bytes=9-1",
  ],
  ...[
    "Host: ",
    "Cookie: a=b; ;;=",
    "Authorization: Basic ////",
    "Origin: null",
    "Transfer-Encoding: identity",
    "Content-Length: 3",
  ],
];

/** Requests without end, each made from a well-made one by a few faults. The same seed gives the same requests. */
export function* malformedRequests(service: ServiceName, seed: number): Generator<Buffer, never> {
  const random = randomNumbers(seed);
  const below = (end: number) => Math.floor(random() * end);
  const one = <Item>(items: readonly Item[]): Item => items[below(items.length)] as Item;
  const someBytes = () => Buffer.from(Array.from({ length: 1 + below(40) }, () => below(256)));

  function odd(value: unknown): unknown {
    if (typeof value !== "object" || value === null || random() < 0.25) return one(oddValues);
    const copy: Record<string, unknown> | unknown[] = Array.isArray(value) ? [...value] : { ...value };
    const keys = Object.keys(copy);
    const key = one([...keys, "extra"]);
    const fields = copy as Record<string, unknown>;
    if (random() < 0.2) delete fields[key];
    else fields[key] = odd(fields[key]);
    return copy;
  }

  function damaged(bytes: Buffer): Buffer {
    const at = below(bytes.length + 1);
    const end = at + below(Math.min(20, bytes.length - at + 1));
    const inserted = random() < 0.5 ? someBytes() : Buffer.alloc(0);
    return Buffer.concat([bytes.subarray(0, at), inserted, bytes.subarray(end)]);
  }

  for (;;) {
    const [method, path, body] = one(wellMade[service]);
    let json = body === undefined ? "" : JSON.stringify(random() < 0.7 ? odd(body) : body);
    if (random() < 0.05) json = "[".repeat(below(20_000)) + json;
    let content: Buffer = Buffer.from(json ?? "");
    if (random() < 0.3) content = damaged(content);
    const target =
      random() < 0.15
        ? path + one(["/", "/..", "%", "%ff", "?a=%E0%A4%A", "//", "\u00e9", "/x".repeat(500), "?limit=-1"])
        : path;
    const headers = [
      "Host: localhost",
      "Content-Type: application/json",
      "Connection: close",
      ...(random() < 0.3 ? [one(oddHeaders)] : []),
    ];
    const chunked = random() < 0.1;
    if (chunked) headers.push("Transfer-Encoding: chunked");
    else if (random() < 0.95)
      headers.push(`Content-Length: ${random() < 0.95 ? content.length : below(2 * content.length + 2)}`);
    const verb =
      random() < 0.1 ? one(["GET", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS", "TRACE", "BREW", "get"]) : method;
    const framed = chunked
      ? Buffer.concat([Buffer.from(`${content.length.toString(16)}\r\n`), content, Buffer.from("\r\n0\r\n\r\n")])
      : content;
    const head = Buffer.from(`${verb} ${target} HTTP/1.1\r\n${headers.join("\r\n")}\r\n\r\n`, "latin1");
    yield Buffer.concat([random() < 0.1 ? damaged(head) : head, framed]);
  }
}

/** Numbers of 0 to 1 by mulberry32 (Tommy Ettinger), which a seed repeats. */
function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
