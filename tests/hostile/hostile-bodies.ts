import { brotliCompressSync, constants, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { limits } from "@agent-backends/contract";

/** A body that tries to cost the service more than its sender. */
export interface HostileBody {
  /** Describes it in the test's name. */
  what: string;
  headers: Record<string, string>;
  /** Builds the body, which may be large. Most runs send only some of all bodies. */
  bytes: () => Buffer;
}

export interface Sizes {
  /** Length of a long text, in characters. */
  textLength: number;
  /** Number of elements of a list or an object. It is the maximum in a body, so that they reach the schemas. */
  values: number;
}

const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
const repeated = (json: string, count: number) => `[${Array(Math.floor(count)).fill(json).join(",")}]`;
const fields = (count: number, value: string) =>
  `{${Array.from({ length: count }, (_, index) => `"field ${index}":${value}`).join(",")}}`;

/** JSON that replaces a part of a valid body, given that part's JSON. */
const replacements: [what: string, json: (own: string, sizes: Sizes) => string][] = [
  ["many numbers", (_, { values }) => repeated("1", values)],
  ["many empty objects", (_, { values }) => repeated("{}", values / 2)],
  ["many lists of lists", (_, { values }) => repeated("[[],[]]", values / 4)],
  ["its own value, many times", (own, { values }) => repeated(own, values / (1 + own.split(/[,[{]/).length))],
  ["many fields", (_, { values }) => fields(values, "1")],
  ["many fields that are objects", (_, { values }) => fields(values / 2, "{}")],
  ["a field with a long name", (_, { textLength }) => `{"${"~/".repeat(textLength / 2)}":1}`],
  ["one field, many times", (_, { values }) => `{${Array(values).fill('"a":[]').join(",").slice(0, -3)}0}`],
  ["a long text", (_, { textLength }) => `"${"x".repeat(textLength)}"`],
  ["a long text of escapes", (_, { textLength }) => `"${"\\u00e9".repeat(textLength / 6)}"`],
  ["a long blank text", (_, { textLength }) => `"${" ".repeat(textLength)}"`],
  ["lists in lists", () => nested(limits.jsonDepth - 20)],
  ["a number beyond all", () => "1e999"],
];

/** JSON bodies: a valid one with each of its parts, at any depth, replaced by each hostile value. */
export function* hostileParts(body: object, sizes: Sizes): Generator<HostileBody, void, undefined> {
  const mark = "the part that is replaced";
  for (const [path, own] of listParts(body)) {
    const json = JSON.stringify(replacePart(body, path, mark));
    for (const [what, make] of replacements) {
      const hostile = () => json.replace(JSON.stringify(mark), () => make(JSON.stringify(own), sizes));
      yield jsonBody(`${what} in /${path.join("/")}`, hostile);
    }
  }
}

/** Bodies that are refused as a whole: over a limit, compressed, in other encodings, or not JSON. */
export function* hostileWholes(body: object): Generator<HostileBody, void, undefined> {
  const json = JSON.stringify(body);
  const large = () => `{"a":[${"1,".repeat(limits.bodyBytes / 2 - 10)}1]}`;
  yield jsonBody("values over the limit", large);
  yield jsonBody("bytes over the limit", () => `{"a":"${"x".repeat(limits.bodyBytes)}"}`);
  yield jsonBody("levels over the limit", () => nested(limits.jsonDepth + 1));
  yield jsonBody("lists that don't end", () => "[".repeat(limits.bodyBytes / 2));
  yield jsonBody("objects that don't end", () => '{"a":'.repeat(limits.bodyBytes / 10));
  yield jsonBody("a text that doesn't end", () => `{"a":"${"\\\\".repeat(limits.bodyBytes / 4)}`);
  for (const other of ["", " ", "null", "[]", "7", '"text"', "NaN", "{'a':1}", json.slice(0, -1), `${json}${json}`]) {
    yield jsonBody(`the body ${other.slice(0, 20)}`, () => other);
  }
  // Brotli's default level takes a second per body.
  const params = { [constants.BROTLI_PARAM_QUALITY]: 1 };
  const brotli = (bytes: string) => brotliCompressSync(bytes, { params });
  const packers = { gzip: gzipSync, deflate: deflateSync, br: brotli, zstd: zstdCompressSync };
  for (const [encoding, pack] of Object.entries(packers)) {
    const headers = { "content-type": "application/json", "content-encoding": encoding };
    yield { what: `many values in ${encoding}`, headers, bytes: () => pack(large()) };
    yield { what: `a well-made body in ${encoding}`, headers, bytes: () => pack(json) };
  }
  for (const type of ["text/plain", "application/json; charset=utf-16", "application/x-www-form-urlencoded", "x"]) {
    yield { what: `the type ${type}`, headers: { "content-type": type }, bytes: () => Buffer.from(json) };
  }
  yield jsonBody("UTF-16", () => Buffer.from(json, "utf16le"));
  yield jsonBody("bytes that are no characters", () =>
    Buffer.concat([Buffer.from('{"a":"'), Buffer.alloc(1_000_000, 0xff)]),
  );
}

/** Forms: the fields of a valid body and others as parts of type JSON, and far too many parts. */
export function* hostileForms(body: object, { textLength, values }: Sizes): Generator<HostileBody, void, undefined> {
  const numbers = repeated("1", values);
  const asJson = "Content-Type: application/json\r\n";
  for (const name of [...Object.keys(body), "unknown", "__proto__", ""]) {
    yield formBody(`many values in ${name} of type JSON`, () => [part(name, numbers, asJson)]);
    yield formBody(`no JSON in ${name} of type JSON`, () => [part(name, "{", asJson)]);
    yield formBody(`lists that don't end in ${name}`, () => [part(name, "[".repeat(textLength), asJson)]);
    yield formBody(`a long text in ${name}`, () => [part(name, "x".repeat(textLength))]);
  }
  yield formBody("ten long fields of type JSON", () =>
    Array(10).fill(part("unknown", "[1,".repeat(textLength / 3), asJson)),
  );
  yield formBody("many empty fields", () => Array(values).fill(part("unknown", "")));
  yield formBody("many empty files", () => Array(values).fill(part('files"; filename="', "")));
  yield formBody("a part with many headers", () => [part("unknown", "", "A: b\r\n".repeat(values))]);
  yield formBody("a part with a long name", () => [part("x".repeat(60_000), "")]);
}

const boundary = "boundary-of-the-form";
const part = (name: string, content: string, headers = "") =>
  `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n${headers}\r\n${content}\r\n`;

function formBody(what: string, parts: () => readonly string[]): HostileBody {
  const headers = { "content-type": `multipart/form-data; boundary=${boundary}` };
  return { what, headers, bytes: () => Buffer.from(`${parts().join("")}--${boundary}--\r\n`) };
}

function jsonBody(what: string, json: () => string | Buffer): HostileBody {
  return { what, headers: { "content-type": "application/json" }, bytes: () => Buffer.from(json() as string) };
}

/** Every part of a value, with its path. */
function listParts(value: unknown, path: readonly string[] = []): [path: readonly string[], part: unknown][] {
  const inner = typeof value === "object" && value !== null ? Object.entries(value) : [];
  const own: [readonly string[], unknown][] = path.length === 0 ? [] : [[path, value]];
  return [...own, ...inner.flatMap(([key, child]) => listParts(child, [...path, key]))];
}

function replacePart(value: unknown, [key, ...rest]: readonly string[], by: unknown): unknown {
  if (key === undefined) return by;
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<string, unknown>;
  copy[key] = replacePart(copy[key], rest, by);
  return copy;
}
