import type { Server } from "node:http";
import { createServer } from "node:http";
import type { Logger } from "pino";
import type { Metrics } from "./metrics.ts";

/** A server of its own for `GET /metrics`, so that who may read the metrics is decided apart from who may use the service. */
export function createMetricsServer(metrics: Metrics, logger: Logger): Server {
  return createServer(async (request, response) => {
    if (!/^\/metrics\/?(\?|$)/.test(request.url ?? "")) {
      response.writeHead(404).end();
    } else if (request.method !== "GET" && request.method !== "HEAD") {
      response.writeHead(405, { Allow: "GET, HEAD" }).end();
    } else {
      try {
        const { contentType, body } = await metrics.text();
        response.writeHead(200, { "Content-Type": contentType }).end(request.method === "GET" ? body : undefined);
      } catch (error) {
        logger.error({ err: error }, "the metrics could not be read");
        response.writeHead(500).end();
      }
    }
  });
}
