import type { IncomingMessage } from "node:http";
import type { JobsResponse } from "@agent-backends/contract";
import { problems } from "@agent-backends/contract";
import { knowledgeOperations } from "@agent-backends/contract/openapi";
import { ShuttingDownError } from "@agent-backends/kit";
import { getPrincipal } from "@agent-backends/kit/auth";
import type { App } from "@agent-backends/kit/fastify";
import { addRoute, streamEvents } from "@agent-backends/kit/fastify";
import type { KnowledgeDependencies } from "./dependencies.ts";
import { listQueue, parseCursor, toPage } from "./pages.ts";

export function addJobRoutes(app: App, { jobs, guard, lifecycle, logger, heartbeatMs }: KnowledgeDependencies): void {
  const read = async (request: IncomingMessage, id: string) => {
    const job = await jobs.get(id);
    if (!job || !getPrincipal(request).canAccess(job.namespace)) throw problems.noJob(id);
    return job;
  };

  addRoute(app, knowledgeOperations, "GET /api/jobs", async (request) => {
    const { limit, cursor, status } = request.query;
    const [createdAt, id] = cursor === undefined ? [] : parseCursor(cursor, 2);
    const after = createdAt !== undefined && id !== undefined ? { createdAt, id } : undefined;
    const client = guard.getClient(request.raw);
    const found = await listQueue.add(client, () => jobs.list({ owner: client, limit: limit + 1, after, status }));
    const { items, next_cursor } = toPage(found, limit, (job) => [job.created_at, job.job_id]);
    // The key may have lost access to a namespace since it sent the job.
    const principal = getPrincipal(request.raw);
    const own = items.filter(({ namespace }) => principal.canAccess(namespace));
    return { jobs: own.map((job) => ({ ...job, items: job.items.length })), next_cursor } satisfies JobsResponse;
  });

  addRoute(app, knowledgeOperations, "GET /api/jobs/{id}", (request) => read(request.raw, request.params.id));

  addRoute(app, knowledgeOperations, "DELETE /api/jobs/{id}", async (request) => {
    const { id } = request.params;
    const job = await read(request.raw, id);
    return (await jobs.cancel(id)) ?? job;
  });

  addRoute(app, knowledgeOperations, "GET /api/jobs/{id}/events", async (request, reply) => {
    const { id } = request.params;
    await read(request.raw, id);
    const onError = (error: unknown) => {
      if (error instanceof ShuttingDownError) return undefined;
      logger.warn({ err: error, job_id: id }, "the events of a job broke off");
      return undefined;
    };
    await streamEvents(reply, { format: "sse", heartbeatMs, lifecycle, onError }, (signal) => jobs.follow(id, signal));
  });
}
