import type { IngestResponse } from "@agent-backends/contract";
import type { Connection } from "../connections/connections.ts";
import { followJob } from "./follow-job.ts";
import type { Item } from "./pasted.ts";
import type { Stage } from "./stages.ts";
import { stageOfResponse } from "./stages.ts";
import { upload } from "./upload.ts";

/** Sends one item to be stored and tells how far it is; the last stage told is its outcome. It never rejects. */
export async function sendItem(
  connection: Connection,
  namespace: string,
  item: Item,
  onStage: (stage: Stage) => void,
): Promise<void> {
  try {
    onStage({ name: "sending", part: 0 });
    const answer = await upload(connection, namespace, item, (part) => onStage({ name: "sending", part }));
    const { job_id } = answer as { job_id?: string };
    // A service that knows no jobs has done it all by now.
    if (job_id === undefined) onStage(stageOfResponse(answer as IngestResponse));
    else await followJob(connection, job_id, onStage);
  } catch (error) {
    onStage({ name: "error", reason: error instanceof Error ? error.message : String(error) });
  }
}
