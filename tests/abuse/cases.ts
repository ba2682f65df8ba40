import { gzipSync } from "node:zlib";
import { limits } from "@agent-backends/contract";
import type { ServiceName } from "@agent-backends/testing";
import type { WellMade } from "../faults/well-made-requests.ts";
import { wellMadeRequests } from "../faults/well-made-requests.ts";
import type { HostileRequest } from "./hostile-client.ts";
import type { Route } from "./routes.ts";
import { isRequestTo, listRoutes } from "./routes.ts";
import type { Scale } from "./worst-bodies.ts";
import { worstBodies } from "./worst-bodies.ts";

/** A way to use as much of a route's limits as possible. */
export interface AbuseCase {
  route: string;
  name: string;
  atOnce: number;
  /** Builders of its requests, which clients send in turn. */
  builds: readonly (() => HostileRequest)[];
}

/** Number of concurrent requests with the largest bodies: 100 MB in total. */
const largeConcurrency = 10;
/** A text of nearly the maximum size of a body. */
const longBytes = 9_800_000;
/** A hundred bodies of this size are several times the memory available to one client. */
const heldBackBytes = 2_000_000;
const slowMs = 100;
/** Pause between the pieces of a slow request. */
const pieceMs = 40;
const boundary = "----boundary";

/**
 * Every route of a service with every kind of worst case.
 *
 * @param key the hostile client's key
 * @param storedPaths paths of stored data to read, such as a large document
 * @throws Error for a route without a well-made request, or the other way round, so that a new route can't be forgotten
 */
export function buildCases(
  service: ServiceName,
  key: string,
  scale: Scale,
  storedPaths: readonly string[],
): AbuseCase[] {
  const routes = listRoutes(service);
  const stray = wellMadeRequests[service].find((request) => !routes.some((route) => isRequestTo(route, request)));
  if (stray) throw new Error(`${service} has no route for ${stray.method} ${stray.path}`);
  return routes.flatMap((route) => {
    const wellMade = wellMadeRequests[service].filter((request) => isRequestTo(route, request));
    if (wellMade.length === 0) throw new Error(`${service} ${route.method} ${route.path} needs a well-made request`);
    const made = wellMade.flatMap((request, index) => [
      ...(request.body === undefined
        ? withoutBody(request, key, scale)
        : withFields(request, request.body, key, scale)),
      // Everything before the fields are read is the same for all requests to a route.
      ...(request.body === undefined || index > 0 ? [] : withBody(request, request.body, key, scale)),
    ]);
    const name = `${route.method} ${route.path}`;
    for (const path of storedPaths.filter((path) => isRequestTo(route, { method: "GET", path }))) {
      const build = () => buildHttpRequest({ method: "GET", path }, path, key, Buffer.alloc(0), json);
      const unread = () => ({ ...build(), unreadMs: scale(1_000) });
      made.push({ name: "what is stored", atOnce: scale(100), builds: [build] });
      made.push({ name: "what is stored, unread", atOnce: scale(100), builds: [unread] });
    }
    const bodies = Object.entries(worstBodies[service]).flatMap(([address, worst]) => {
      const request = wellMade.find(({ method, path }) => address === `${method} ${path}`);
      return request ? worst(scale).map((body) => ({ ...body, request })) : [];
    });
    const worst = bodies.flatMap(
      ({
        request: { method, path },
        name: what,
        concurrency = 32,
        leaveAfterMs,
        json,
        lines,
        files,
        extension,
        hasSmallAnswer,
      }) => {
        const buildRequest = () => {
          if (lines) return buildHttpRequest({ method, path }, path, key, Buffer.from(lines()), "application/x-ndjson");
          if (files) return buildHttpRequest({ method, path }, path, key, buildForm(files(), extension), form);
          return buildJsonRequest({ method, path }, key, json?.());
        };
        const build = () => ({ ...buildRequest(), ...(leaveAfterMs !== undefined && { leaveAfterMs }) });
        return [
          { name: what, atOnce: concurrency, builds: [build] },
          ...(hasSmallAnswer
            ? []
            : [
                {
                  name: `${what}, unread`,
                  atOnce: concurrency,
                  builds: [() => ({ ...build(), unreadMs: scale(slowMs) })],
                },
              ]),
        ];
      },
    );
    return [...made, ...worst].map((one) => ({ route: name, ...one }));
  });
}

type Made = Omit<AbuseCase, "route">;

const buildValues = (scale: Scale) => Array<number>(scale(limits.jsonValues - 100)).fill(1);
const buildText = (scale: Scale, bytes: number) => "\u00e9".repeat(scale(bytes / 2));

/** Concurrent large requests with alternating bodies. */
function large(name: string, at: Route, key: string, scale: Scale, bodies: readonly (() => unknown)[]): Made {
  return {
    name,
    atOnce: scale(largeConcurrency),
    builds: bodies.map((body) => () => buildJsonRequest(at, key, body())),
  };
}

/** Cases that depend on the fields of a request. */
function withFields({ method, path }: WellMade, body: object, key: string, scale: Scale): Made[] {
  const at = { method, path };
  const withEach = (value: () => unknown) => Object.keys(body).map((field) => () => ({ ...body, [field]: value() }));
  const small = () => buildJsonRequest(at, key, body);
  return [
    large(
      "many values in a field",
      at,
      key,
      scale,
      withEach(() => buildValues(scale)),
    ),
    large(
      "a long field",
      at,
      key,
      scale,
      withEach(() => buildText(scale, longBytes)),
    ),
    { name: "unread", atOnce: scale(100), builds: [() => ({ ...small(), unreadMs: scale(slowMs) })] },
    { name: "parallel", atOnce: scale(limits.streamsPerKey), builds: [small] },
  ];
}

/** Cases that depend on the body as a whole. */
function withBody({ method, path }: WellMade, body: object, key: string, scale: Scale): Made[] {
  const at = { method, path };
  const deep = () => Buffer.from(JSON.stringify(body).replace("{", `{"x":${"[".repeat(490)}${"]".repeat(490)},`));
  const fields = () => Object.fromEntries(buildValues(scale).map((_, index) => [`field${index}`, 1]));
  const one = (name: string, atOnce: number, build: () => HostileRequest): Made => ({ name, atOnce, builds: [build] });
  const unfolding = () => gzipSync(Buffer.alloc(scale(limits.bodyBytes), "1,"));
  return [
    large("many values", at, key, scale, [() => ({ ...body, x: buildValues(scale) })]),
    large("many fields", at, key, scale, [() => ({ ...body, ...fields() })]),
    large("long key", at, key, scale, [() => ({ ...body, [buildText(scale, longBytes)]: 1 })]),
    one("deep", scale(largeConcurrency), () => buildHttpRequest(at, path, key, deep(), json)),
    one("compressed", scale(largeConcurrency), () =>
      buildHttpRequest(at, path, key, unfolding(), `${json}\r\nContent-Encoding: gzip`),
    ),
    one("slow", scale(100), () => ({ ...buildJsonRequest(at, key, body), pieceMs: scale(pieceMs) })),
    one("ended at once", scale(limits.streamsPerKey), () => ({
      ...buildJsonRequest(at, key, body),
      heldBackMs: scale(slowMs * 5),
    })),
    one("held back", scale(100), () => ({
      ...buildJsonRequest(at, key, { ...body, x: buildText(scale, heldBackBytes) }),
      heldBackMs: scale(slowMs * 5),
    })),
  ];
}

function withoutBody({ method, path }: WellMade, key: string, scale: Scale): Made[] {
  const one = (name: string, atOnce: number, target: string, pace: Partial<HostileRequest> = {}): Made => {
    const build = () => ({ ...buildHttpRequest({ method, path }, target, key, Buffer.alloc(0), json), ...pace });
    return { name, atOnce: scale(atOnce), builds: [build] };
  };
  const joint = path.includes("?") ? "&" : "?";
  const longName = path.replace(/\/(n|r|[\da-f-]{32,36})(?=[/?]|$)/, `/${"%C3%A9".repeat(2_000)}`);
  return [
    one("parallel", limits.streamsPerKey, path),
    one("unread", 100, path, { unreadMs: scale(slowMs) }),
    one("slow", 100, path, { pieceMs: scale(pieceMs) }),
    one("long query", 100, `${path}${joint}cursor=${"x".repeat(15_000)}`),
    one("many parameters", 100, path + joint + "a=1&".repeat(3_500)),
    ...(longName === path ? [] : [one("long name", 100, longName)]),
  ];
}

const json = "application/json";
const form = `multipart/form-data; boundary=${boundary}`;

const buildJsonRequest = (at: Route, key: string, body: unknown): HostileRequest =>
  buildHttpRequest(at, at.path, key, Buffer.from(JSON.stringify(body)), json);

function buildHttpRequest({ method }: Route, target: string, key: string, body: Buffer, type: string): HostileRequest {
  const head = [
    `${method} ${target} HTTP/1.1`,
    "Host: localhost",
    "Connection: close",
    "Accept: application/json, text/event-stream",
    `X-API-Key: ${key}`,
    ...(body.length > 0 ? [`Content-Type: ${type}`, `Content-Length: ${body.length}`] : []),
  ];
  return { bytes: Buffer.concat([Buffer.from(`${head.join("\r\n")}\r\n\r\n`), body]) };
}

function buildForm(files: Uint8Array[], extension = "txt"): Buffer {
  const part = (disposition: string, content: Uint8Array | string) =>
    Buffer.concat([
      Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n`),
      Buffer.from(content as string),
      Buffer.from("\r\n"),
    ]);
  return Buffer.concat([
    part('name="namespace"', "hostile"),
    ...files.map((file, index) => part(`name="files"; filename="${index}.${extension}"`, file)),
    Buffer.from(`--${boundary}--\r\n`),
  ]);
}
