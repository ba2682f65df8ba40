import { z } from "zod";
import { pageLimit, warningsSchema } from "../shapes.ts";
import { ingestResponseSchema } from "./ingest.ts";
import { knowledgeLimits } from "./limits.ts";

const item = { source: z.string() };
/** Titles are the current ones when the job is looked up, or the item's source once its document is deleted. */
const { saved, skipped } = ingestResponseSchema.shape;

/** The current stage of an item. `waiting`: no work happens until the service has a free slot or an earlier item has ended. */
const working = { stage: z.enum(["waiting", "fetching", "extracting", "chunking", "storing"]) };
/** The number of the item's chunks, and how many of them are embedded. */
const embedding = {
  stage: z.literal("embedding"),
  progress: z.object({ done: z.int().nonnegative(), total: z.int().positive() }),
};
export const itemProgressSchema = z.discriminatedUnion("stage", [z.object(working), z.object(embedding)]);

/** An item of a job: its stage and, once it has ended, its outcome. */
export const jobItemSchema = z.discriminatedUnion("stage", [
  z.object({ ...working, source: z.string() }),
  z.object({ ...embedding, source: z.string() }),
  z.object({ stage: z.literal("saved"), ...item, ...saved.element.shape }),
  z.object({ stage: z.literal("skipped"), ...item, ...skipped.element.shape }),
  z.object({ stage: z.literal("error"), ...item, error: z.string(), code: z.string() }),
]);

const jobStatuses = ["queued", "running", "done", "failed", "cancelled"] as const;

/**
 * An ingest that continues after its response. Its status is `failed` if it ended, without being cancelled, with no item saved or skipped.
 */
export const jobSchema = z.object({
  job_id: z.string(),
  namespace: z.string(),
  status: z.enum(jobStatuses),
  items: z.array(jobItemSchema),
  /** Number of items. */
  saved: z.int().nonnegative(),
  skipped: z.int().nonnegative(),
  errors: z.int().nonnegative(),
  created_at: z.iso.datetime(),
  finished_at: z.iso.datetime().optional(),
});

/** A job in a list. `items` is only their number. */
export const jobSummarySchema = jobSchema.extend({ items: z.int().positive() });

export const jobsQuerySchema = z.object({
  limit: pageLimit(knowledgeLimits.jobsPerPage),
  cursor: z.string().optional(),
  status: z.enum(jobStatuses, `must be one of ${jobStatuses.join(", ")}`).optional(),
});

export const jobsResponseSchema = z.object({
  jobs: z.array(jobSummarySchema),
  next_cursor: z.string().nullable(),
  warnings: warningsSchema,
});

/** The response to an ingest with `async=true`. */
export const jobAcceptedSchema = z.object({
  job_id: z.string(),
  namespace: z.string(),
  status: z.literal("queued"),
  items: z.int().positive(),
  warnings: warningsSchema,
});

/** The events of a job: one per change of an item, where `item` is its 0-based position, and the whole job as the last event. */
export const jobEventSchema = z.union([
  jobItemSchema.and(z.object({ type: z.literal("item"), job_id: z.string(), item: z.int().nonnegative() })),
  jobSchema.extend({ type: z.literal("job") }),
]);

export const jobParametersSchema = z.object({ id: z.uuid("is no id of a job") });

export type Job = z.output<typeof jobSchema>;
export type JobsResponse = z.output<typeof jobsResponseSchema>;
export type ItemProgress = z.output<typeof itemProgressSchema>;
export type JobItem = z.output<typeof jobItemSchema>;
export type JobEvent = z.output<typeof jobEventSchema>;
export type JobAccepted = z.output<typeof jobAcceptedSchema>;
