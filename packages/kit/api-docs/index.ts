import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { findPackageJSON } from "node:module";
import { dirname, join } from "node:path";
import { pipeline } from "node:stream/promises";
import { limits, problems } from "@agent-backends/contract";
import type { ApiDescription } from "@agent-backends/contract/openapi";
import { buildOpenApi } from "@agent-backends/contract/openapi";
import { waitForTurn } from "../turns/index.ts";
import { pageHeaders, pageHtml, pageScript } from "./page.ts";

interface Content {
  headers: Record<string, string | number>;
  body: Buffer;
}

/** Paths that describe a service, for GET and HEAD. The last two belong to the page. */
export const apiDocsPaths = ["/openapi.json", "/docs", "/docs/page.js", "/docs/scalar.js"] as const;
type ApiDocsPath = (typeof apiDocsPaths)[number];

/** The path of a request's URL, if it is one of them. */
export function findApiDocsPath(url = ""): ApiDocsPath | undefined {
  const [path] = url.split("?");
  return apiDocsPaths.find((one) => one === path);
}

/**
 * Serves the OpenAPI document and a page that shows it. The document is built on the first request, so that it doesn't slow down the start.
 */
export class ApiDocs {
  readonly #description: ApiDescription;
  #document: Promise<Content> | undefined;

  constructor(description: ApiDescription) {
    this.#description = description;
  }

  /**
   * Responds to a request for one of the paths. Headers that are already set stay.
   *
   * @throws ProblemError `method-not-allowed`
   */
  async answer(path: ApiDocsPath, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "" } = request;
    if (method !== "GET" && method !== "HEAD") throw problems.methodNotAllowed(method, ["GET", "HEAD"]);
    if (path === "/docs/scalar.js") await sendScalar(request, response);
    else send(await this.#getContent(path), request, response);
  }

  #getContent(path: Exclude<ApiDocsPath, "/docs/scalar.js">): Content | Promise<Content> {
    if (path === "/docs") return toContent("text/html; charset=utf-8", pageHtml(this.#description.title), pageHeaders);
    if (path === "/docs/page.js") return toContent(scriptType, pageScript);
    this.#document ??= buildOpenApi(this.#description, waitForTurn).then((document) =>
      toContent("application/json; charset=utf-8", JSON.stringify(document)),
    );
    return this.#document;
  }
}

const scriptType = "text/javascript; charset=utf-8";
/** Clients revalidate their copy on each request. */
const caching = { "Cache-Control": "no-cache", "X-Content-Type-Options": "nosniff" };

function toContent(type: string, text: string, headers: Record<string, string> = {}): Content {
  const body = Buffer.from(text);
  const hash = createHash("sha256").update(body).digest("base64url").slice(0, 22);
  return {
    body,
    headers: { "Content-Type": type, "Content-Length": body.length, ETag: `"${hash}"`, ...caching, ...headers },
  };
}

function send({ headers, body }: Content, request: IncomingMessage, response: ServerResponse): void {
  if (!isCached(String(headers.ETag), request, response)) {
    response.writeHead(200, headers).end(request.method === "HEAD" ? undefined : body);
  }
}

/** Streams Scalar's bundle from its package: at 4 MB it is too large to keep in memory. */
async function sendScalar(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const manifest = findPackageJSON("@scalar/api-reference", import.meta.url) ?? "";
  const { version } = (await import(manifest, { with: { type: "json" } })).default as { version: string };
  const ETag = `"${version}"`;
  if (isCached(ETag, request, response)) return;
  response.writeHead(200, { "Content-Type": scriptType, ETag, ...caching });
  if (request.method === "HEAD") {
    response.end();
    return;
  }
  const file = createReadStream(join(dirname(manifest), "dist/browser/standalone.js"));
  // A client that disconnects, or reads nothing for too long, isn't a failure of the service.
  await pipeline(file, response, { signal: AbortSignal.timeout(limits.answerMs) }).catch(() => response.destroy());
}

function isCached(etag: string, { headers }: IncomingMessage, response: ServerResponse): boolean {
  const isCached = headers["if-none-match"]?.includes(etag) === true;
  if (isCached) response.writeHead(304, { ETag: etag }).end();
  return isCached;
}
