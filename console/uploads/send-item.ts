import type { KnowledgeClient } from "@agent-backends/client";
import { explainError, knowledgeAt } from "../connections/clients.ts";
import type { Connection } from "../connections/connections.ts";
import type { Item } from "./items.ts";
import type { Stage } from "./stages.ts";
import { isSettled, toStage } from "./stages.ts";

/**
 * Ingests one item and reports its stages; the last stage is the outcome. Never rejects.
 *
 * @param signal cancels the upload, then the service's job. It may be too late for that.
 */
export async function sendItem(
  connection: Connection,
  namespace: string,
  item: Item,
  { signal, onStage }: { signal: AbortSignal; onStage: (stage: Stage) => void },
): Promise<void> {
  const fail = (error: unknown) => onStage({ name: "error", reason: explainError(error).message });
  const knowledge = knowledgeAt(connection);
  try {
    const jobId = await send(knowledge, namespace, item, { signal, onStage });
    if (jobId === undefined) return onStage({ name: "cancelled" });
    const cancel = () => void knowledge.cancelJob(jobId).catch(fail);
    if (signal.aborted) cancel();
    signal.addEventListener("abort", cancel);
    await followJob(knowledge, jobId, onStage);
  } catch (error) {
    fail(error);
  }
}

/** @returns the id of the job, or undefined if the signal aborted before everything was sent */
async function send(
  knowledge: KnowledgeClient,
  namespace: string,
  item: Item,
  { signal, onStage }: { signal: AbortSignal; onStage: (stage: Stage) => void },
): Promise<string | undefined> {
  const upload = new AbortController();
  // Data that has been sent may already be stored, so wait for the response.
  let isSent = item.kind !== "file";
  const abort = () => !isSent && upload.abort();
  signal.addEventListener("abort", abort);
  onStage({ name: "sending", part: 0 });
  const content =
    item.kind === "file" ? { files: [{ name: item.name, content: item.file }] } : { sources: [item.source] };
  try {
    const { job_id } = await knowledge.startIngest(
      { namespace, ...content },
      {
        signal: upload.signal,
        onProgress: ({ sentBytes, totalBytes }) => {
          isSent = sentBytes === totalBytes;
          onStage({ name: "sending", part: sentBytes / totalBytes });
        },
      },
    );
    return job_id;
  } catch (error) {
    if (upload.signal.aborted) return undefined;
    throw error;
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

/** Maximum number of consecutive failed connections before the job is no longer followed. */
const maxAttempts = 5;

/** Reports the stages of a job's only item. */
async function followJob(knowledge: KnowledgeClient, jobId: string, onStage: (stage: Stage) => void): Promise<void> {
  for await (const event of knowledge.followJob(jobId, { maxAttempts })) {
    if (event.type !== "item") continue;
    const stage = toStage(event);
    onStage(stage);
    if (isSettled(stage)) return;
  }
}
