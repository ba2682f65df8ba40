import type { IngestRequest } from "@agent-backends/contract";
import { defaultNamespace, ingestRequestSchema, limits } from "@agent-backends/contract";
import { ProblemError, parseInput } from "@agent-backends/kit";
import type { App } from "@agent-backends/kit/fastify";
import multipart from "@fastify/multipart";
import { ingest } from "../ingest/ingest.ts";
import type { UploadedFile } from "../ingest/sources.ts";
import { clientSignal } from "./client-signal.ts";
import type { KnowledgeDependencies } from "./dependencies.ts";
import { receiveForm } from "./multipart-form.ts";

export async function registerIngest(app: App, dependencies: KnowledgeDependencies): Promise<void> {
  const { maxFileBytes } = dependencies.sources;
  await app.register(multipart);
  const bodyLimit = Math.max(limits.bodyBytes, maxFileBytes);

  app.post("/api/tools/ingest", { bodyLimit }, async (request, reply) => {
    const signal = clientSignal(reply.raw, dependencies.lifecycle);
    const store = async (body: unknown, files: readonly UploadedFile[]) => {
      const {
        namespace = defaultNamespace,
        sources,
        on_conflict,
        metadata,
      } = readRequest(body, files, dependencies.maxSources);
      const replaces = on_conflict === "replace";
      return ingest(dependencies, { namespace, sources: sources ?? [], files, replaces, metadata, signal });
    };
    let response: Awaited<ReturnType<typeof ingest>>;
    if (request.isMultipart()) {
      const form = await receiveForm(request, {
        maxFileBytes,
        maxFiles: dependencies.maxSources,
        maxFieldBytes: bodyLimit,
      });
      try {
        response = await store(form.fields, form.files);
      } finally {
        await form.discard();
      }
    } else {
      if (request.body === undefined) throw new ProblemError("not-json", "The body is empty; send a JSON object.");
      response = await store(request.body, []);
    }
    const { saved, errors } = response;
    return reply.code(errors.length === 0 ? 200 : saved.length > 0 ? 207 : 400).send(response);
  });
}

function readRequest(body: unknown, files: readonly UploadedFile[], maxSources: number): IngestRequest {
  const request = parseInput(ingestRequestSchema, body);
  const count = (request.sources?.length ?? 0) + files.length;
  if (count === 0)
    throw wrongSources("Nothing was sent to store; give at least one source or file.", "is missing or empty");
  if (count > maxSources) {
    throw wrongSources(
      `${count} sources and files are more than the limit of ${maxSources} in one request; send them in several.`,
      `holds more than ${maxSources} items`,
    );
  }
  return request;
}

function wrongSources(detail: string, fault: string): ProblemError {
  return new ProblemError("invalid-input", detail, { errors: [{ pointer: "/sources", detail: fault }] });
}
