import { z } from "zod";
import { hashSchema } from "./shapes.ts";

const itemOfJob = { source: z.string(), title: z.string().optional() };
const storedItemOfJob = { ...itemOfJob, title: z.string(), hash: hashSchema };

/** An item of a job: where it is on its way, and what became of it. */
export const jobItemSchema = z.discriminatedUnion("stage", [
  z.object({ stage: z.enum(["queued", "reading", "chunking", "embedding", "storing"]), source: z.string() }),
  z.object({
    stage: z.literal("saved"),
    ...storedItemOfJob,
    namespace: z.string(),
    document_id: z.string(),
    chunks: z.int().positive(),
    replaced: z.int().nonnegative().optional(),
  }),
  z.object({ stage: z.literal("skipped"), ...storedItemOfJob, reason: z.literal("duplicate-content") }),
  z.object({ stage: z.literal("error"), ...itemOfJob, error: z.string(), code: z.string() }),
]);

/** An ingest that goes on after its request was answered. It has failed when it ended by itself and no item was saved or skipped. */
export const jobSchema = z.object({
  job_id: z.string(),
  namespace: z.string(),
  status: z.enum(["queued", "running", "done", "failed", "cancelled"]),
  items: z.array(jobItemSchema),
  /** How many items were. */
  saved: z.int().nonnegative(),
  skipped: z.int().nonnegative(),
  errors: z.int().nonnegative(),
  created_at: z.iso.datetime(),
  finished_at: z.iso.datetime().optional(),
});

/** What an ingest with `async=true` answers. */
export const jobAcceptedSchema = z.object({
  job_id: z.string(),
  namespace: z.string(),
  status: z.literal("queued"),
  items: z.int().positive(),
});

/** The events of a job: one for each change of an item, `item` its 0-based position, and the whole job at the end. */
export const jobEventSchema = z.union([
  jobItemSchema.and(z.object({ type: z.literal("item"), job_id: z.string(), item: z.int().nonnegative() })),
  jobSchema.extend({ type: z.literal("job") }),
]);

export const jobParametersSchema = z.object({ id: z.uuid("is no id of a job") });

export type Job = z.output<typeof jobSchema>;
export type JobItem = z.output<typeof jobItemSchema>;
export type JobEvent = z.output<typeof jobEventSchema>;
export type JobAccepted = z.output<typeof jobAcceptedSchema>;
