import { z } from "zod";
import { limits } from "./limits.ts";

/**
 * A list whose validation stops once as many issues are found as a problem names. An array of zod would report one, or several,
 * for each of many thousands of bad elements.
 *
 * @param options.message for what is no list
 * @param options.maxMessage for a list longer than `max`
 */
export function listOf<Element extends z.ZodType>(
  element: Element,
  options: { max?: number; message?: string; maxMessage?: string } = {},
) {
  const { max = Number.POSITIVE_INFINITY, message = "must be a list", maxMessage = `holds more than ${max}` } = options;
  return z.transform<unknown, z.output<Element>[]>((values, context) => {
    const refuse = (fault: string) => {
      context.issues.push({ code: "custom", message: fault, input: values });
      return z.NEVER;
    };
    if (!Array.isArray(values)) return refuse(message);
    if (values.length > max) return refuse(maxMessage);
    const elements: z.output<Element>[] = [];
    for (const [index, value] of values.entries()) {
      // As zod's own array runs its elements: safeParse takes twice as long.
      const parsed = element._zod.run({ value, issues: [] }, { async: false }) as z.core.ParsePayload<
        z.output<Element>
      >;
      elements.push(parsed.value);
      if (parsed.issues.length > 0) context.issues.push(...z.core.util.prefixIssues(index, parsed.issues));
      if (context.issues.length >= limits.invalidFieldsNamed) break;
    }
    return elements;
  });
}
