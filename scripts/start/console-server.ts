import { globSync, readFileSync } from "node:fs";
import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { createServer } from "node:http";
import { extname } from "node:path";
import { gzipSync } from "node:zlib";

const contentTypes: Record<string, string> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".json": "application/json; charset=utf-8",
};

/** The page may call any URL that its user enters, and loads nothing from other hosts. */
export const contentSecurityPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self' http: https:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

interface Page {
  type: string;
  cacheControl: string;
  plain: Buffer;
  br?: Buffer;
  gzip: Buffer;
}

/**
 * Serves a built page from memory. Files added later are not served.
 *
 * @param folder the output of build-console.ts
 * @param describe builds `/console.json` with the services' addresses. `hostname` is the one that the request used
 * @throws if the folder has no build
 */
export function createConsoleServer(folder: string, describe: (hostname: string) => object): Server {
  const pages = readPages(folder);
  const index = pages.get("/index.html");
  if (!index) throw new Error(`There is no page in ${folder}. Build it: node scripts/build-console.ts`);
  pages.set("/", index);
  return createServer((request, response) => {
    response.setHeader("Content-Security-Policy", contentSecurityPolicy);
    response.setHeader("X-Content-Type-Options", "nosniff");
    response.setHeader("Referrer-Policy", "no-referrer");
    const path = request.url?.split("?")[0] ?? "/";
    if (request.method !== "GET" && request.method !== "HEAD") {
      response.writeHead(405, { Allow: "GET, HEAD" }).end();
    } else if (path === "/console.json") {
      const { hostname } = URL.parse(`http://${request.headers.host}`) ?? { hostname: "127.0.0.1" };
      const body = Buffer.from(JSON.stringify(describe(hostname)));
      send(request, response, findPage(path, body));
    } else {
      const page = pages.get(path);
      if (page) send(request, response, page);
      else response.writeHead(404, { "Content-Type": "text/plain" }).end("There is nothing at this address.\n");
    }
  });
}

function readPages(folder: string): Map<string, Page> {
  const files = globSync("**/*.*", { cwd: folder, exclude: ["**/*.br"] });
  const read = (file: string) => readFileSync(`${folder}/${file}`);
  return new Map(files.map((file) => [`/${file}`, { ...findPage(`/${file}`, read(file)), br: read(`${file}.br`) }]));
}

function findPage(path: string, plain: Buffer): Page {
  return {
    type: contentTypes[extname(path)] ?? "application/octet-stream",
    // Vite includes a hash of the content in file names in assets/.
    cacheControl: path.startsWith("/assets/") ? "public, max-age=31536000, immutable" : "no-cache",
    plain,
    gzip: gzipSync(plain),
  };
}

function send(request: IncomingMessage, response: ServerResponse, page: Page): void {
  const accepted = String(request.headers["accept-encoding"] ?? "");
  const encoding = (["br", "gzip"] as const).find((name) => page[name] && new RegExp(`\\b${name}\\b`).test(accepted));
  const body = (encoding && page[encoding]) ?? page.plain;
  response.writeHead(200, {
    "Content-Type": page.type,
    "Content-Length": body.length,
    "Cache-Control": page.cacheControl,
    Vary: "Accept-Encoding",
    ...(encoding && { "Content-Encoding": encoding }),
  });
  response.end(request.method === "HEAD" ? undefined : body);
}
