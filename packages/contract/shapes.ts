import { z } from "zod";
import { describeIssue } from "./describe-issue.ts";
import { limits } from "./limits.ts";

/** Describes the fields of schemas that hide or don't check them, by another schema with the same fields. */
export const fieldsLike = z.registry<{
  /** The other schema. The type is `unknown`, because zod rewrites schemas in the type of a registry. */
  schema: unknown;
  /** For list elements: fields of the request that apply to all elements. An element with one of them is refused. */
  requestFields?: readonly string[];
}>();

/** An optional field in which `null` counts as absent. */
export const optional = <Schema extends z.ZodType>(schema: Schema) =>
  schema.nullish().transform((value) => value ?? undefined);

/** For fields where blank text counts as absent. */
export const isBlank = (value: unknown) => value === null || (typeof value === "string" && value.trim() === "");

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The `limit` query parameter of a list. */
export const pageLimit = (range: { min: number; max: number; default: number }) => {
  const message = `must be a whole number from ${range.min} to ${range.max}`;
  return z.coerce.number(message).int(message).min(range.min, message).max(range.max, message).default(range.default);
};

export const hashSchema = z.string().regex(/^[0-9a-f]{64}$/);

/** Fields of the request that were ignored. */
export const warningsSchema = z.array(z.object({ pointer: z.string(), detail: z.string() })).optional();

/** Limits the number of fields before validation; otherwise zod reports an issue for every one of thousands of bad fields. */
export const withMaxFields = <Schema extends z.ZodType>(maxFields: number, schema: Schema) =>
  z.preprocess((value, context) => {
    if (isObject(value) && Object.keys(value).length > maxFields)
      context.addIssue(`holds more than ${maxFields} fields`);
    return value;
  }, schema);

/**
 * A list whose validation stops once it has as many issues as a problem can name. zod's own array would report one or more issues for each
 * of many thousands of invalid elements.
 *
 * @param options.message message for a value that isn't a list
 * @param options.maxMessage message for a list longer than `max`
 */
export function buildListSchema<Element extends z.ZodType>(
  element: Element,
  options: { max?: number; message?: string; maxMessage?: string } = {},
) {
  const { max = Number.POSITIVE_INFINITY, message = "must be a list", maxMessage = `holds more than ${max}` } = options;
  const list = z.transform<unknown, z.output<Element>[]>((values, context) => {
    const refuse = (issue: string) => {
      context.issues.push({ code: "custom", message: issue, input: values });
      return z.NEVER;
    };
    if (!Array.isArray(values)) return refuse(message);
    if (values.length > max) return refuse(maxMessage);
    const elements: z.output<Element>[] = [];
    for (const [index, value] of values.entries()) {
      // zod's own array runs its elements this way. safeParse takes twice as long.
      const parsed = element._zod.run(
        { value, issues: [] },
        { async: false, error: describeIssue },
      ) as z.core.ParsePayload<z.output<Element>>;
      elements.push(parsed.value);
      if (parsed.issues.length > 0) context.issues.push(...z.core.util.prefixIssues(index, parsed.issues));
      if (context.issues.length >= limits.invalidFieldsNamed) break;
    }
    return elements;
  });
  const array = z.array(element);
  return list.register(fieldsLike, { schema: Number.isFinite(max) ? array.max(max) : array });
}
