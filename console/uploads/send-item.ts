import type { IngestResponse, JobEvent } from "@agent-backends/contract";
import type { Connection } from "../connections/connections.ts";
import { buildKeyHeaders } from "../connections/connections.ts";
import { buildIngestUrl, buildJobEventsUrl, cancelJob } from "../connections/knowledge-api.ts";
import { openStream, ServiceError, toServiceError, unreachable } from "../connections/request.ts";
import { parseObject } from "../json.ts";
import type { Item } from "./items.ts";
import type { Stage } from "./stages.ts";
import { isSettled, toFinalStage, toStage } from "./stages.ts";

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
  const fail = (error: unknown) =>
    onStage({ name: "error", reason: error instanceof Error ? error.message : String(error) });
  try {
    onStage({ name: "sending", part: 0 });
    const onSent = (part: number) => onStage({ name: "sending", part });
    const answer = await upload(connection, namespace, item, { signal, onSent });
    if (!answer) return onStage({ name: "cancelled" });
    const { job_id: jobId } = answer as { job_id?: string };
    // A service without background jobs answers when everything is stored.
    if (jobId === undefined) return onStage(toFinalStage(answer as unknown as IngestResponse));
    const cancel = () => void cancelJob(connection, jobId).catch(fail);
    if (signal.aborted) cancel();
    signal.addEventListener("abort", cancel);
    await followJob(connection, jobId, onStage);
  } catch (error) {
    fail(error);
  }
}

/**
 * Uploads one item with XMLHttpRequest, because fetch does not report upload progress.
 *
 * @param options.onSent called with the part that has been sent, 0 to 1
 * @param options.signal aborts the upload. Once everything is sent it may already be stored, so the response is awaited.
 * @returns the response's body, or undefined if the upload was aborted
 * @throws ServiceError when the service refuses or can't be reached
 */
function upload(
  connection: Connection,
  namespace: string,
  item: Item,
  { onSent, signal }: { onSent: (part: number) => void; signal: AbortSignal },
): Promise<Record<string, unknown> | undefined> {
  const url = `${buildIngestUrl(connection)}?async=true`;
  const request = new XMLHttpRequest();
  request.open("POST", url);
  request.setRequestHeader("Accept", "application/json");
  for (const [name, value] of Object.entries(buildKeyHeaders(connection))) request.setRequestHeader(name, value);
  request.upload.onprogress = ({ loaded, total }) => onSent(total > 0 ? loaded / total : 0);
  const { promise, resolve, reject } = Promise.withResolvers<Record<string, unknown> | undefined>();
  let isSent = false;
  request.upload.onload = () => {
    isSent = true;
  };
  signal.addEventListener("abort", () => !isSent && request.abort());
  request.onabort = () => resolve(undefined);
  request.onloadend = () => {
    if (request.status === 0) return reject(unreachable(url));
    const answer = parseObject(request.responseText);
    // If the only item fails, the status is 400 but the body has the usual form.
    if (answer && (request.status < 300 || "saved" in answer)) return resolve(answer);
    reject(toServiceError(request.status, request.responseText));
  };
  if (item.kind === "file") {
    const form = new FormData();
    form.append("namespace", namespace);
    form.append("files", item.file, item.name);
    request.send(form);
  } else {
    request.setRequestHeader("Content-Type", "application/json");
    request.send(JSON.stringify({ namespace, sources: [item.source] }));
  }
  return promise;
}

const maxAttempts = 5;
const retryDelayMs = 1_000;

/** A retry won't help: the service has answered, and not because it is overloaded or failing. */
const isRefusal = (error: unknown) =>
  error instanceof ServiceError && error.status !== undefined && error.status < 500 && error.status !== 429;

/**
 * Reports the stages of a job's only item. Jobs survive broken connections: the events are requested again, from the first.
 *
 * @throws the error of the last attempt
 */
async function followJob(connection: Connection, jobId: string, onStage: (stage: Stage) => void): Promise<void> {
  const url = buildJobEventsUrl(connection, jobId);
  const headers = { Accept: "text/event-stream", ...buildKeyHeaders(connection) };
  const { signal } = new AbortController();
  for (let attempt = 1; ; attempt++) {
    try {
      for await (const { kind, data } of openStream({ url, headers }, { signal })) {
        if (kind === "heartbeat") continue;
        const event = JSON.parse(data) as JobEvent;
        if (event.type !== "item") continue;
        const stage = toStage(event);
        onStage(stage);
        if (isSettled(stage)) return;
      }
      throw new Error("The connection to the ingest was lost. It may continue: check the documents.");
    } catch (error) {
      if (attempt === maxAttempts || isRefusal(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, retryDelayMs));
    }
  }
}
