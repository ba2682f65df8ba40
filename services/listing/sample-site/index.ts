import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { answerPosts } from "./graphql.ts";
import { buildLaunches } from "./launches.ts";
import { answerSearch } from "./search.ts";

const maxBodyBytes = 64 * 1024;

/**
 * Starts a small listing site with invented launches, all marked as samples, so that users can try the service without an account. It
 * accepts any token.
 *
 * @param options.now clock from which the launches' days are counted back
 */
export async function startSampleSite(options: { now?: () => Date } = {}): Promise<{
  /** URL for `LISTING_API_URL`. */
  graphqlUrl: string;
  /** URL for `LISTING_SEARCH_URL`. */
  searchUrl: string;
  close(): Promise<void>;
}> {
  const { now = () => new Date() } = options;
  const server = createServer((request, response) => {
    answer(request, now()).then(
      ([status, body]) => send(response, status, body),
      () => response.destroy(),
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    graphqlUrl: `${origin}/graphql`,
    searchUrl: origin,
    async close() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

async function answer(request: IncomingMessage, now: Date): Promise<[status: number, body: object]> {
  const { pathname } = new URL(request.url ?? "/", "http://sample");
  const answers =
    pathname === "/graphql" ? answerPosts : /^\/1\/indexes\/[^/]+\/query$/.test(pathname) ? answerSearch : undefined;
  if (!answers) return [404, { message: "The sample site has /graphql and /1/indexes/{index}/query." }];
  const body = answers(await readJson(request), buildLaunches(now));
  return body ? [200, body] : [400, { errors: [{ message: "The sample site does not know this query." }] }];
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBodyBytes) throw new RangeError(`A body is at most ${maxBodyBytes} bytes.`);
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString());
  } catch {
    return undefined;
  }
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "Content-Type": "application/json" });
  response.end(JSON.stringify(body));
}
