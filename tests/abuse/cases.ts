import { gzipSync } from "node:zlib";
import { limits } from "@agent-backends/contract";
import type { ServiceName } from "@agent-backends/testing";
import type { WellMade } from "../faults/well-made-requests.ts";
import { wellMadeRequests } from "../faults/well-made-requests.ts";
import type { HostileRequest } from "./hostile-client.ts";
import type { Route } from "./routes.ts";
import { isOf, routesOf } from "./routes.ts";
import type { Scale } from "./worst-bodies.ts";
import { worstBodies } from "./worst-bodies.ts";

/** A way to ask as much of a route as its limits allow. */
export interface AbuseCase {
  route: string;
  name: string;
  /** How many such requests run at the same time. */
  atOnce: number;
  build(): HostileRequest;
}

/** Requests with the largest bodies at the same time: 100 MB of them. */
const largeAtOnce = 10;
const slowMs = 100;
const boundary = "----boundary";

/**
 * Every route of a service with every kind of worst case.
 *
 * @param key with which the hostile client asks
 * @param largeDocumentPath of a document that there is
 * @throws Error for a route that no well-made request belongs to, so that a new one can't be left out
 */
export function casesOf(
  service: ServiceName,
  key: string,
  scale: Scale,
  largeDocumentPath: string | undefined,
): AbuseCase[] {
  return routesOf(service).flatMap((route) => {
    const wellMade = wellMadeRequests[service].filter((request) => isOf(route, request));
    if (wellMade.length === 0) throw new Error(`${service} ${route.method} ${route.path} needs a well-made request`);
    const made = wellMade.flatMap((request) =>
      request.body === undefined ? withoutBody(request, key, scale) : withBody(request, request.body, key, scale),
    );
    const name = `${route.method} ${route.path}`;
    if (largeDocumentPath !== undefined && isOf(route, { method: "GET", path: largeDocumentPath })) {
      const build = () => requestOf(route, largeDocumentPath, key, Buffer.alloc(0), json);
      made.push({ name: "large document", atOnce: scale(16), build });
      made.push({
        name: "large document, unread",
        atOnce: scale(16),
        build: () => ({ ...build(), unreadMs: scale(3_000) }),
      });
    }
    const worst = (worstBodies[service][name]?.(scale) ?? []).flatMap(({ name: what, atOnce = 32, json, files }) => {
      const { method, path } = wellMade[0] as WellMade;
      const build = () =>
        files ? requestOf(route, path, key, formOf(files()), form) : jsonOf({ method, path }, key, json?.());
      return [
        { name: what, atOnce, build },
        { name: `${what}, unread`, atOnce, build: () => ({ ...build(), unreadMs: scale(slowMs) }) },
      ];
    });
    return [...made, ...worst].map((one) => ({ route: name, ...one }));
  });
}

type Made = Omit<AbuseCase, "route">;

function withBody({ method, path }: WellMade, body: object, key: string, scale: Scale): Made[] {
  const at = { method, path };
  const values = () => Array<number>(scale(limits.jsonValues - 100)).fill(1);
  const text = () => "\u00e9".repeat(scale(4_900_000));
  const deep = () => Buffer.from(JSON.stringify(body).replace("{", `{"x":${"[".repeat(490)}${"]".repeat(490)},`));
  const large = (name: string, json: () => unknown): Made => {
    return { name, atOnce: scale(largeAtOnce), build: () => jsonOf(at, key, json()) };
  };
  return [
    large("many values", () => ({ ...body, x: values() })),
    ...Object.keys(body).map((field) => large(`many values in ${field}`, () => ({ ...body, [field]: values() }))),
    large("many fields", () => ({ ...body, ...Object.fromEntries(values().map((_, index) => [`field${index}`, 1])) })),
    ...Object.keys(body).map((field) => large(`long ${field}`, () => ({ ...body, [field]: text() }))),
    large("long key", () => ({ ...body, [text()]: 1 })),
    { name: "deep", atOnce: scale(largeAtOnce), build: () => requestOf(at, path, key, deep(), json) },
    {
      name: "compressed",
      atOnce: scale(largeAtOnce),
      build: () =>
        requestOf(
          at,
          path,
          key,
          gzipSync(Buffer.alloc(scale(limits.bodyBytes), "1,")),
          `${json}\r\nContent-Encoding: gzip`,
        ),
    },
    { name: "slow", atOnce: scale(100), build: () => ({ ...jsonOf(at, key, body), pieceMs: scale(slowMs) }) },
    {
      name: "held back",
      atOnce: scale(100),
      build: () => ({ ...jsonOf(at, key, { ...body, x: text() }), heldBackMs: scale(slowMs * 10) }),
    },
    { name: "unread", atOnce: scale(100), build: () => ({ ...jsonOf(at, key, body), unreadMs: scale(slowMs) }) },
    { name: "parallel", atOnce: scale(limits.streamsPerKey), build: () => jsonOf(at, key, body) },
  ];
}

function withoutBody({ method, path }: WellMade, key: string, scale: Scale): Made[] {
  const build = (target: string) => requestOf({ method, path }, target, key, Buffer.alloc(0), json);
  const joint = path.includes("?") ? "&" : "?";
  return [
    { name: "parallel", atOnce: scale(limits.streamsPerKey), build: () => build(path) },
    { name: "unread", atOnce: scale(100), build: () => ({ ...build(path), unreadMs: scale(slowMs) }) },
    { name: "slow", atOnce: scale(100), build: () => ({ ...build(path), pieceMs: scale(slowMs) }) },
    { name: "long query", atOnce: scale(100), build: () => build(`${path}${joint}cursor=${"x".repeat(15_000)}`) },
    { name: "many parameters", atOnce: scale(100), build: () => build(path + joint + "a=1&".repeat(3_500)) },
    {
      name: "long name",
      atOnce: scale(100),
      build: () => build(path.replace(/\/(n|[\da-f-]{32,36})(?=[/?]|$)/, `/${"%C3%A9".repeat(2_000)}`)),
    },
  ];
}

const json = "application/json";
const form = `multipart/form-data; boundary=${boundary}`;

const jsonOf = (at: Route, key: string, body: unknown): HostileRequest =>
  requestOf(at, at.path, key, Buffer.from(JSON.stringify(body)), json);

function requestOf({ method }: Route, target: string, key: string, body: Buffer, type: string): HostileRequest {
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

function formOf(files: Uint8Array[]): Buffer {
  const part = (disposition: string, content: Uint8Array | string) =>
    Buffer.concat([
      Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n`),
      Buffer.from(content as string),
      Buffer.from("\r\n"),
    ]);
  return Buffer.concat([
    part('name="namespace"', "hostile"),
    ...files.map((file, index) => part(`name="files"; filename="${index}.docx"`, file)),
    Buffer.from(`--${boundary}--\r\n`),
  ]);
}
