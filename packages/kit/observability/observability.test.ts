import { once } from "node:events";
import { createServer } from "node:http";
import { connect } from "node:net";
import { listenOnLoopback } from "@agent-backends/testing/fixtures";
import { expect, onTestFinished, test } from "vitest";
import { createLogger } from "../logger.ts";
import { StreamedBody } from "../streams/streamed-body.ts";
import { Observability } from "./observability.ts";

test.each([
  ["/agent?profile=ag-ui", "/agent"],
  ["/agent/", "/agent"],
  ["/AGENT/?a=/", "/agent"],
  ["http://127.0.0.1:8000/agent", "/agent"],
  ["/agent/runs/Run-1/", "/agent/runs/:runId"],
  ["/agent/runs/", "other"],
  ["/tenants/Acme/chat/agent", "/tenants/:tenant/chat/agent"],
  ["/agent//", "other"],
  ["/agents", "other"],
  ["/", "other"],
])("a request to %s counts for its route", async (path, route) => {
  const lines: { route: string }[] = [];
  const logger = createLogger("test", "info", { write: (line: string) => void lines.push(JSON.parse(line)) });
  const server = createServer((_request, response) => void response.end());
  const routes = ["/agent", "/agent/runs/:runId", "/tenants/:tenant/chat/agent"];
  new Observability({ logger, open: { requests: 0, streams: 0 } }).observe(server, routes);
  const { port, hostname } = new URL(await listenOnLoopback(server, onTestFinished));
  const client = connect(Number(port), hostname);
  client.write(`GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
  await expect.poll(() => lines).toMatchObject([{ route }]);
});

test("a stream whose client left before it began is not open", async () => {
  const open = { requests: 0, streams: 0 };
  const server = createServer();
  new Observability({ logger: createLogger("test", "silent"), open }).observe(server);
  const begun = Promise.withResolvers<void>();
  server.on("request", async (_request, response) => {
    await once(response, "close");
    new StreamedBody(response, { format: "sse", heartbeatMs: 1_000 }).end("");
    begun.resolve();
  });
  const { port, hostname } = new URL(await listenOnLoopback(server, onTestFinished));
  const client = connect(Number(port), hostname);
  client.write("POST /stream HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n");
  await once(server, "request");
  expect(open).toEqual({ requests: 1, streams: 0 });
  client.destroy();
  await begun.promise;
  expect(open).toEqual({ requests: 0, streams: 0 });
});
