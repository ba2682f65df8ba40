import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { buildApp } from "fauxqs";

const bucket = "bucket";

/** An object store that speaks S3, with faults on demand. It keeps its objects in memory. */
export interface ObjectStore {
  /** The address for `KNOWLEDGE_STORE`. */
  readonly location: string;
  /** The variables by which clients reach it. */
  readonly variables: Record<string, string>;
  /** What has to go wrong from now on. Requests that are being answered go on. */
  faults: ObjectStoreFaults;
  /** The requests so far, by method. */
  readonly requests: ReadonlyMap<string, number>;
  close(): Promise<void>;
}

export interface ObjectStoreFaults {
  /** Each answer comes this much later. */
  delayMs?: number;
  /** The share of requests that get 503, from 0 to 1. */
  failureRate?: number;
  /** Connections are closed without an answer. */
  isAway?: boolean;
}

/** A store that fails every so many requests, so that runs are alike. */
const failsNow = (request: number, rate: number) => Math.floor(request * rate) > Math.floor((request - 1) * rate);

/** Starts one with an empty bucket. */
export async function startObjectStore(port = 0): Promise<ObjectStore> {
  const app = buildApp({ logger: false });
  await app.ready();
  await app.inject({ method: "PUT", url: `/${bucket}` });
  const requests = new Map<string, number>();
  const sockets = new Set<IncomingMessage["socket"]>();
  let count = 0;

  /** Objects that a conditional write is creating: the emulator itself writes unconditionally. */
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

/** Also reads the body: a client that is still sending would see a broken connection. */
function refuse(request: IncomingMessage, response: ServerResponse, status: number, code: string): void {
  request.resume();
  response.writeHead(status, { "Content-Type": "application/xml" });
  response.end(`<?xml version="1.0"?><Error><Code>${code}</Code></Error>`);
}
