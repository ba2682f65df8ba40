import type { IngestResponse, JobEvent } from "@agent-backends/contract";
import type { Connection } from "../connections/connections.ts";
import { keyHeadersOf } from "../connections/connections.ts";
import { cancelJob, ingestUrl } from "../connections/knowledge-api.ts";
import { errorOfResponse, openStream, ServiceError, unreachable } from "../connections/request.ts";
import type { Item } from "./items.ts";
import type { Stage } from "./stages.ts";
import { isSettled, stageOfItem, stageOfResponse } from "./stages.ts";

/**
 * Sends one item to be stored and tells how far it is; the last stage told is its outcome. It never rejects.
 *
 * @param signal cancels it: what is being sent breaks off, and the service is asked to give up what it works on. It may be too
 * late for that.
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
    const answer = await upload(connection, namespace, item, {
      signal,
      onSent: (part) => onStage({ name: "sending", part }),
    });
    if (!answer) return onStage({ name: "cancelled" });
    const { job_id: jobId } = answer as { job_id?: string };
    // A service that knows no jobs has done it all by now.
    if (jobId === undefined) return onStage(stageOfResponse(answer as IngestResponse));
    const cancel = () => void cancelJob(connection, jobId).catch(fail);
    if (signal.aborted) cancel();
    signal.addEventListener("abort", cancel);
    await followJob(connection, jobId, onStage);
  } catch (error) {
    fail(error);
  }
}

/**
 * Sends one item to be stored in the background.
 * XMLHttpRequest is used because fetch does not tell how much of a body has been sent.
 *
 * @param options `onSent` is called with the part that has been sent, 0…1; `signal` breaks it off while it is being sent. What
 * has been sent as a whole may be stored already, so its answer is waited for.
 * @returns the answer's body; undefined where the request was broken off
 * @throws ServiceError when the service refuses or can't be reached
 */
function upload(
  connection: Connection,
  namespace: string,
  item: Item,
  { onSent, signal }: { onSent: (part: number) => void; signal: AbortSignal },
): Promise<Record<string, unknown> | undefined> {
  const url = `${ingestUrl(connection)}?async=true`;
  const request = new XMLHttpRequest();
  request.open("POST", url);
  request.setRequestHeader("Accept", "application/json");
  for (const [name, value] of Object.entries(keyHeadersOf(connection))) request.setRequestHeader(name, value);
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
    // An ingest whose only item failed is answered with 400, and says why in its own form.
    if (answer && (request.status < 300 || "saved" in answer)) return resolve(answer);
    errorOfResponse(new Response(request.responseText, { status: request.status })).then(reject, reject);
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

function parseObject(text: string): Record<string, unknown> | undefined {
  try {
    return Object(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** A request that the service refuses is refused the next time too. */
const isRefusal = (error: unknown) =>
  error instanceof ServiceError && error.status !== undefined && error.status < 500 && error.status !== 429;

/** How often the events of one job are asked for again, where they broke off, and after how long. */
const attemptsAtMost = 5;
const againAfterMs = 1_000;

/**
 * Tells the stages of a job's only item as they come, its outcome last. Jobs outlive connections: where the events break off
 * they are asked for again, from the first one.
 *
 * @throws what the last attempt failed with
 */
async function followJob(connection: Connection, jobId: string, onStage: (stage: Stage) => void): Promise<void> {
  const url = `${connection.baseUrl}/api/jobs/${encodeURIComponent(jobId)}/events`;
  const headers = { Accept: "text/event-stream", ...keyHeadersOf(connection) };
  const { signal } = new AbortController();
  for (let attempt = 1; ; attempt++) {
    try {
      for await (const { kind, data } of openStream({ url, headers }, { signal })) {
        if (kind === "heartbeat") continue;
        const event = JSON.parse(data) as JobEvent;
        if (event.type !== "item") continue;
        const stage = stageOfItem(event);
        onStage(stage);
        if (isSettled(stage)) return;
      }
      throw new Error("The events of the ingest broke off. It may go on by itself: look at the documents.");
    } catch (error) {
      if (attempt === attemptsAtMost || isRefusal(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, againAfterMs));
    }
  }
}
