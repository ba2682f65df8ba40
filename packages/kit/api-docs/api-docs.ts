import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { setImmediate } from "node:timers/promises";
import { problems } from "@agent-backends/contract";
import type { ApiDescription } from "@agent-backends/contract/openapi";
import { buildOpenApi } from "@agent-backends/contract/openapi";

interface Page {
  headers: Record<string, string | number>;
  body: Buffer;
}

/** The addresses that describe a service, for GET and HEAD. */
export const apiDocsPaths = ["/openapi.json"] as const;
type ApiDocsPath = (typeof apiDocsPaths)[number];

/** The path of a request's address, if it is one of them. */
export function findApiDocsPath(url = ""): ApiDocsPath | undefined {
  const [path] = url.split("?");
  return apiDocsPaths.find((one) => one === path);
}

/** `GET /openapi.json`. The document is built at its first request, so that starting a service takes no longer. */
export class ApiDocs {
  readonly #description: ApiDescription;
  #document: Promise<Page> | undefined;

  constructor(description: ApiDescription) {
    this.#description = description;
  }

  /**
   * Answers a request for one of the paths. Headers that are set on the response stay.
   *
   * @throws ProblemError `method-not-allowed`
   */
  async answer(_path: ApiDocsPath, { method = "", headers }: IncomingMessage, response: ServerResponse): Promise<void> {
    if (method !== "GET" && method !== "HEAD") throw problems.methodNotAllowed(method, ["GET", "HEAD"]);
    this.#document ??= buildOpenApi(this.#description, setImmediate).then((document) =>
      toPage("application/json; charset=utf-8", JSON.stringify(document)),
    );
    const page = await this.#document;
    if (headers["if-none-match"]?.includes(String(page.headers.ETag))) {
      response.writeHead(304, { ETag: page.headers.ETag }).end();
    } else response.writeHead(200, page.headers).end(method === "HEAD" ? undefined : page.body);
  }
}

function toPage(type: string, text: string): Page {
  const body = Buffer.from(text);
  const hash = createHash("sha256").update(body).digest("base64url").slice(0, 22);
  return {
    body,
    headers: {
      "Content-Type": type,
      "Content-Length": body.length,
      // Clients ask each time whether they still have the same.
      "Cache-Control": "no-cache",
      ETag: `"${hash}"`,
    },
  };
}
