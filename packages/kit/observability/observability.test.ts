import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { connect } from "node:net";
import { expect, test } from "vitest";
import { createLogger } from "../logger.ts";
import { StreamedBody } from "../streams/streamed-body.ts";
import { Observability } from "./observability.ts";

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
  await once(server.listen(0, "127.0.0.1"), "listening");
  const client = connect((server.address() as AddressInfo).port, "127.0.0.1");
  client.write("POST /stream HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n");
  await once(server, "request");
  expect(open).toEqual({ requests: 1, streams: 0 });
  client.destroy();
  await begun.promise;
  expect(open).toEqual({ requests: 0, streams: 0 });
  server.close();
});
