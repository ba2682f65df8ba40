import type { IngestResponse } from "@agent-backends/contract";
import type { Connection } from "../connections/connections.ts";
import { cancelJob } from "../connections/knowledge-api.ts";
import { followJob } from "./follow-job.ts";
import type { Item } from "./pasted.ts";
import type { Stage } from "./stages.ts";
import { stageOfResponse } from "./stages.ts";
import { upload } from "./upload.ts";

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
