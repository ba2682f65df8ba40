import { z } from "zod";

/** `null` counts as absent. */
export const optional = <Schema extends z.ZodType>(schema: Schema) =>
  schema.nullish().transform((value) => value ?? undefined);

/** Blank text counts as absent where this is asked. */
export const isBlank = (value: unknown) => value === null || (typeof value === "string" && value.trim() === "");

export const hashSchema = z.string().regex(/^[0-9a-f]{64}$/);

/** An object with so many fields at most. They are counted first: a schema would say of each of many thousands what is wrong with it. */
export const ofFields = <Schema extends z.ZodType>(atMost: number, schema: Schema) =>
  z.preprocess((value, context) => {
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    if (isObject && Object.keys(value).length > atMost) context.addIssue(`holds more than ${atMost} fields`);
    return value;
  }, schema);
