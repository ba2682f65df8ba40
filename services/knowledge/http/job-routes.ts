import type { OutgoingHttpHeaders } from "node:http";
import { jobParametersSchema } from "@agent-backends/contract";
import { ClientGoneError, openEventStream, ProblemError } from "@agent-backends/kit";
import type { App } from "@agent-backends/kit/fastify";
import type { KnowledgeDependencies } from "./dependencies.ts";

export function registerJobs(app: App, { jobs, lifecycle, logger, heartbeatMs }: KnowledgeDependencies): void {
  const read = async (id: string) => {
    const job = await jobs.get(id);
    if (!job) throw new ProblemError("not-found", `There is no job "${id}"; jobs are kept for seven days.`);
    return job;
  };

  app.get("/api/jobs/:id", { schema: { params: jobParametersSchema } }, (request) => read(request.params.id));

  app.get("/api/jobs/:id/events", { schema: { params: jobParametersSchema } }, async (request, reply) => {
    const { id } = request.params;
    await read(id);
    const headers = reply.getHeaders() as OutgoingHttpHeaders;
    reply.hijack();
    const stream = openEventStream(reply.raw, { format: "sse", heartbeatMs, headers, lifecycle });
    try {
      for await (const event of jobs.follow(id, stream.signal)) await stream.send(event);
    } catch (error) {
      const isExpected = stream.signal.aborted || error instanceof ClientGoneError;
      if (!isExpected) logger.warn({ err: error, job_id: id }, "the events of a job broke off");
    } finally {
      stream.end();
    }
  });
}
