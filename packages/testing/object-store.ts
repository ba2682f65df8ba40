import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { buildApp } from "fauxqs";

const bucket = "bucket";

/** An in-memory object store with the S3 API, and faults on demand. */
export interface ObjectStore {
  /** Value for `KNOWLEDGE_STORE`. */
  readonly location: string;
  /** Variables with which clients reach the store. */
  readonly variables: Record<string, string>;
  /** Faults from now on. Requests in progress continue. */
  faults: ObjectStoreFaults;
  /** Number of requests so far, by method. */
  readonly requests: ReadonlyMap<string, number>;
  close(): Promise<void>;
}

export interface ObjectStoreFaults {
  delayMs?: number;
  /** Share of requests that get 503, from 0 to 1. */
  failureRate?: number;
  /** Closes connections without a response. */
  isAway?: boolean;
}

/** Whether this request fails. Failures are evenly spaced, so that runs are reproducible. */
const failsNow = (request: number, rate: number) => Math.floor(request * rate) > Math.floor((request - 1) * rate);

/** Starts a store with an empty bucket. */
export async function startObjectStore(port = 0): Promise<ObjectStore> {
  const app = buildApp({ logger: false });
  await app.ready();
  await app.inject({ method: "PUT", url: `/${bucket}` });
  const requests = new Map<string, number>();
  const sockets = new Set<IncomingMessage["socket"]>();
  let count = 0;

  /** Objects that a conditional write is creating. They are tracked here because the emulator writes unconditionally. */
  const creating = new Set<string>();
  const isThere = async (url: string) => (await app.inject({ method: "HEAD", url })).statusCode === 200;
  async function refusesWrite(url: string, response: ServerResponse): Promise<boolean> {
    if (creating.has(url)) return true;
    creating.add(url);
    response.once("close", () => creating.delete(url));
    return isThere(url);
  }

  const server = createServer(async (request, response) => {
    const { method = "", url = "", headers } = request;
    requests.set(method, (requests.get(method) ?? 0) + 1);
    const { delayMs = 0, failureRate = 0, isAway = false } = store.faults;
    if (isAway) return request.socket.destroy();
    count += 1;
    if (failsNow(count, failureRate)) return refuse(request, response, 503, "SlowDown");
    if (delayMs > 0) await delay(delayMs);
    const isConditional = method === "PUT" && headers["if-none-match"] === "*";
    if (isConditional && (await refusesWrite(url, response))) {
      return refuse(request, response, 412, "PreconditionFailed");
    }
    app.routing(request, response);
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.once("close", () => sockets.delete(socket));
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const endpoint = `http://127.0.0.1:${typeof address === "object" && address ? address.port : port}`;
  const store: ObjectStore = {
    location: `s3://${bucket}/store`,
    variables: {
      AWS_ENDPOINT: endpoint,
      AWS_ALLOW_HTTP: "true",
      AWS_REGION: "us-east-1",
      AWS_ACCESS_KEY_ID: "test",
      AWS_SECRET_ACCESS_KEY: "test",
    },
    faults: {},
    requests,
    async close() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await app.close();
    },
  };
  return store;
}

/** Refuses a request. Also reads the body: a client that is still sending would otherwise see a broken connection. */
function refuse(request: IncomingMessage, response: ServerResponse, status: number, code: string): void {
  request.resume();
  response.writeHead(status, { "Content-Type": "application/xml" });
  response.end(`<?xml version="1.0"?><Error><Code>${code}</Code></Error>`);
}
