import { z } from "zod";

/** `null` counts as absent. */
export const optional = <Schema extends z.ZodType>(schema: Schema) =>
  schema.nullish().transform((value) => value ?? undefined);

/** Blank text counts as absent where this is asked. */
export const isBlank = (value: unknown) => value === null || (typeof value === "string" && value.trim() === "");

export const hashSchema = z.string().regex(/^[0-9a-f]{64}$/);
