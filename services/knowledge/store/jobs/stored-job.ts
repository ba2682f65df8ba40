import { customMetadataSchema, jobItemSchema, jobSchema } from "@agent-backends/contract";
import { z } from "zod";
import type { JobLease, JobOrder, JobState, JobStore } from "./job-store.ts";
import { itemSizes } from "./sent-items.ts";

/** The data to ingest. Its files are stored next to it under `name`. */
const orderSchema = z.object({
  namespace: z.string(),
  sources: z.array(z.unknown()),
  longTexts: z.array(z.object({ position: z.int(), name: z.string(), bytesOnDisk: z.number() })).default([]),
  files: z.array(
    z.object({
      filename: z.string(),
      contentType: z.string().optional(),
      name: z.string(),
      bytesOnDisk: z.number(),
      truncated: z.boolean().optional(),
    }),
  ),
  replaces: z.boolean(),
  metadata: customMetadataSchema.optional(),
});

/** An item in a stage used by earlier versions. It starts again when its job continues. */
const earlierItemSchema = z
  .object({ stage: z.enum(["queued", "reading", "embedding"]), source: z.string() })
  .transform(({ source }) => ({ stage: "waiting" as const, source }));
const storedJobSchema = jobSchema.extend({ items: z.array(jobItemSchema.or(earlierItemSchema)) });
const stateSchema = z.object({
  job: storedJobSchema,
  attempts: z.int(),
  owner: z.string().optional(),
  sizes: z.array(z.enum(itemSizes)).optional(),
});

/** A stored job state. A state that was only partly written, because its process died, counts as missing. */
export function parseState(text: string): JobState | undefined {
  try {
    return stateSchema.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** @param toName returns the stored name of the file at a path */
export function toStoredOrder(order: JobOrder, toName: (path: string) => string): string {
  const toStored = <File extends { path: string }>({ path, ...file }: File) => ({ ...file, name: toName(path) });
  return JSON.stringify({ ...order, longTexts: order.longTexts.map(toStored), files: order.files.map(toStored) });
}

/** @param toPath returns the path on this machine of the file with a name */
export function parseOrder(text: string, toPath: (name: string) => string): JobOrder {
  const order = orderSchema.parse(JSON.parse(text));
  const toFile = <File extends { name: string }>({ name, ...file }: File) => ({ ...file, path: toPath(name) });
  return { ...order, longTexts: order.longTexts.map(toFile), files: order.files.map(toFile) };
}

/** Identifies a lease among those of one process. */
export const toKey = ({ id, epoch }: JobLease): string => `${id} ${epoch}`;

export interface JobRow {
  id: string;
  epoch: number;
  created_at: string;
  state_json: string;
  is_cancelled: boolean;
}

/** Converts rows to the taken leases, for `claimAbandoned`. */
export function toClaims(
  rows: Pick<JobRow, "id" | "epoch" | "created_at" | "state_json">[],
): Awaited<ReturnType<JobStore["claimAbandoned"]>> {
  rows.sort((one, other) => (one.created_at < other.created_at ? -1 : 1));
  return rows.flatMap(({ id, epoch, state_json }) => {
    const state = parseState(state_json);
    return state ? [{ lease: { id, epoch }, state }] : [];
  });
}

/** For each lease, what its holder has to do, based on the unfinished jobs of this process. For `renew`. */
export function toRenewals(
  leases: readonly JobLease[],
  rows: Pick<JobRow, "id" | "epoch" | "is_cancelled">[],
): Awaited<ReturnType<JobStore["renew"]>> {
  const held = new Map(rows.map((row) => [row.id, row]));
  return leases.map(({ id, epoch }) => {
    const row = held.get(id);
    if (row?.epoch !== epoch) return "lost";
    return row.is_cancelled ? "cancelled" : "held";
  });
}
