import { limits } from "@agent-backends/contract";
import { z } from "zod";
import { getPrincipal } from "../auth/principal.ts";
import { isRedisUrl, redisUrlForm, variables } from "../configuration.ts";
import type { Lifecycle } from "../lifecycle.ts";
import type { Logger } from "../logger.ts";
import { EventBuffer } from "./event-buffer.ts";
import { Runs } from "./runs.ts";

/** Blank: runs aren't stored. */
export const runsUrlSchema = z
  .string()
  .refine((url) => url === "" || url === "memory:" || isRedisUrl(url), {
    error: () => `must be memory: or ${redisUrlForm}`,
  })
  .default("");

/** Variables of services whose runs can be resumed and stopped. */
export const runVariables = {
  RUNS_URL: runsUrlSchema.meta({
    default: "–",
    description:
      "where [runs that survive a lost connection](relay.md#runs-that-survive-a-lost-connection) are stored: `memory:`, or the address of a Redis server for several processes; without it, runs end with their connection",
  }),
  RUN_RETENTION_MS: variables.milliseconds(limits.runRetentionMs).describe("how long a run can be read after its end"),
  RUN_ORPHAN_MS: variables
    .milliseconds(limits.runOrphanMs, 0)
    .describe("how long a run continues after its client has disconnected, unless another client reads it"),
};

/** Opens the stored runs of an agent, or returns undefined if they can't be resumed. Runs belong to the keys that started them. */
export function openRuns(
  service: string,
  { RUNS_URL: url, RUN_RETENTION_MS: retentionMs, RUN_ORPHAN_MS: orphanMs }: z.output<z.ZodObject<typeof runVariables>>,
  { lifecycle, logger }: { lifecycle: Lifecycle; logger: Logger },
): Runs | undefined {
  if (url === "") return undefined;
  // Clients may send the same run ids to several services that share a Redis server.
  const getOwner: Runs["getOwner"] = (request) => `${service}:${getPrincipal(request).id}`;
  const { answerMs: runMs } = limits;
  return new Runs({ url, retentionMs, orphanMs, runMs, getOwner, events: new EventBuffer(), lifecycle, logger });
}
