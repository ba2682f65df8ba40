import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import type { Random } from "./random.ts";
import type { WellMade } from "./well-made-requests.ts";

/** A body, with the headers that describe it. */
export interface Body {
  headers: string[];
  bytes: Buffer;
}

const own = (json: string): unknown => JSON.parse(json);
const oddValues: unknown[] = [
  ...[null, true, false, -1, 0, 0.5, 1e308, -0, 2 ** 53, "", " ", [], {}, [[[[]]]], [null], [1, "a", {}]],
  ...["\u0000", "a\u0000b", "\ud800", "\u202e", "\u2066a", "\u200b", "\ufeff", "\u2028", "\r\n\r\n", "\u001b[31m"],
  ...[
    "..",
    ".",
    "../..",
    "/etc/passwd",
    "C:\\\\nul",
    "%00",
    "a".repeat(5_000),
    "é".repeat(300),
    "\ud83d\ude00".repeat(70),
  ],
  ...[
    "data: [DONE]\n\n",
    "{{7*7}}",
    "'; --",
    "' OR 1=1 --",
    "$(id)",
    "<script>",
    "toString",
    "__proto__",
    "constructor",
  ],
  ...[
    "http://[::1]:1/",
    "http://169.254.169.254/",
    "http://127.1:9",
    "file:///etc/passwd",
    "javascript:alert(1)",
    "http://%",
  ],
  ...["from:9999-99-99 to:0000-00-00", "last 999999999 days", "0001-01-01", "Europe/../UTC", "#fff", "1e3"],
  own('{"__proto__":{"polluted":true}}'),
  own('{"constructor":{"prototype":{"polluted":true}}}'),
  own('{"toString":1,"valueOf":null,"then":"x","length":-1}'),
];
const oddTypes = [
  ...["text/plain", "application/json; charset=utf-16", "application/json;charset=\u00ff", "multipart/form-data", ""],
  ...[
    "multipart/form-data; boundary=x",
    "application/x-www-form-urlencoded",
    "application/json, application/json",
    "/",
  ],
];
const nestings: [string, string][] = [
  ["[", "]"],
  ['{"a":', "}"],
  ['{"messages":[', "]}"],
];
const packers = [gzipSync, deflateSync, brotliCompressSync] as const;
/** Compressed bodies that expand to far more than their size. */
const bombs = packers.map((pack) => pack(Buffer.alloc(12_000_000, " ")));
const encodings = ["gzip", "deflate", "br", "zstd", "identity", "gzip, gzip", "x"];

/** The value with one of its parts removed or replaced. */
function odd(value: unknown, random: Random): unknown {
  if (typeof value !== "object" || value === null || random.chance(0.25)) return random.pick(oddValues);
  const entries = Object.entries(value);
  const at = random.below(entries.length + 1);
  const [key, inner] = entries[at] ?? [random.pick(["extra", "__proto__", "constructor", ""]), {}];
  if (random.chance(0.2)) entries.splice(at, 1);
  else entries.splice(at, 1, [key, odd(inner, random)]);
  // Define the entries instead of assigning them, because a key may be __proto__.
  return Array.isArray(value) ? entries.map(([, item]) => item) : Object.fromEntries(entries);
}

function jsonBody(value: object, random: Random): Body {
  let json = JSON.stringify(random.chance(0.8) ? odd(value, random) : value) ?? "";
  if (random.chance(0.05)) json = json.replace("{", '{"__proto__":{"polluted":true},"__proto__":1,');
  if (random.chance(0.05)) {
    const [open, close] = random.pick(nestings);
    const depth = random.below(20_000);
    json = open.repeat(depth) + json + (random.chance(0.5) ? close.repeat(depth) : "");
  }
  let bytes: Buffer = Buffer.from(json);
  if (random.chance(0.3)) bytes = random.damage(bytes);
  if (random.chance(0.02)) bytes = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes]);
  const type = random.chance(0.1) ? random.pick(oddTypes) : "application/json";
  return packed({ headers: [`Content-Type: ${type}`], bytes }, random);
}

function packed({ headers, bytes }: Body, random: Random): Body {
  if (random.chance(0.92)) return { headers, bytes };
  const encoding = `Content-Encoding: ${random.pick(encodings)}`;
  const small = random.chance(0.1) ? random.pick(bombs) : random.chance(0.2) ? bytes : random.pick(packers)(bytes);
  return { headers: [...headers, encoding], bytes: random.chance(0.3) ? random.damage(small) : small };
}

function formBody(value: object, random: Random): Body {
  const boundary = random.chance(0.9) ? "----boundary" : random.pick(["", "x".repeat(200), "a b", "\u00ff", "-"]);
  const parts = Object.entries(value).map(([name, field]) => [
    `form-data; name="${name}"`,
    typeof field === "string" ? field : JSON.stringify(random.chance(0.5) ? odd(field, random) : field),
  ]);
  const name = random.pick([
    "a.txt",
    "../../a.md",
    "a\u0000.pdf",
    '"',
    "\u202egpj.exe",
    "a".repeat(500),
    "",
    ".",
    "a.docx",
  ]);
  const content = random.chance(0.3) ? random.bytes(2_000).toString("latin1") : "A text of a file.";
  const file = [`form-data; name="${random.pick(["files", "file", ""])}"; filename="${name}"`, content];
  const times = random.chance(0.02) ? 300 : random.below(4);
  for (let index = 0; index < times; index += 1) parts.push(file);
  const text = parts
    .map(([disposition, content]) => `--${boundary}\r\nContent-Disposition: ${disposition}\r\n\r\n${content}\r\n`)
    .join("");
  let bytes: Buffer = Buffer.from(`${text}--${boundary}--\r\n`, random.chance(0.8) ? "utf8" : "latin1");
  if (random.chance(0.3)) bytes = bytes.subarray(0, random.below(bytes.length));
  if (random.chance(0.3)) bytes = random.damage(bytes);
  return packed({ headers: [`Content-Type: multipart/form-data; boundary=${boundary}`], bytes }, random);
}

/** A body that is malformed in some way, or well-formed. */
export function malformedBody({ body, hasForm }: WellMade, random: Random): Body {
  if (body === undefined) return { headers: [], bytes: random.chance(0.9) ? Buffer.alloc(0) : random.bytes(200) };
  return hasForm && random.chance(0.5) ? formBody(body, random) : jsonBody(body, random);
}
