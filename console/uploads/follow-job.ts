import type { JobEvent } from "@agent-backends/contract";
import type { Connection } from "../connections/connections.ts";
import { keyHeadersOf } from "../connections/connections.ts";
import { openStream } from "../stream/open-stream.ts";
import { ServiceError } from "../stream/service-error.ts";
import type { Stage } from "./stages.ts";
import { isSettled, stageOfItem } from "./stages.ts";

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
export async function followJob(connection: Connection, jobId: string, onStage: (stage: Stage) => void): Promise<void> {
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
