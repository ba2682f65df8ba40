import type { z } from "zod";

const typeNames: Record<string, string> = {
  string: "text",
  number: "a number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list",
  object: "a JSON object",
  record: "a JSON object",
};

const formats: Record<string, string> = {
  date: "must be a date, such as 2026-11-23",
  datetime: "must be a time in ISO 8601, such as 2026-11-23T09:40:00Z",
  url: "must be an address, such as https://example.com/page",
  uuid: "must be a UUID",
};

/** Unit in which the size of a value is counted. Undefined for values that are compared directly. */
const units: Record<string, [one: string, several: string] | undefined> = {
  string: ["character", "characters"],
  array: ["element", "elements"],
  set: ["element", "elements"],
  map: ["field", "fields"],
  object: ["field", "fields"],
  record: ["field", "fields"],
};

/** Describes what is wrong with a value, for issues whose schema has no message: zod's own texts name its types. Pass it to `safeParse`. */
export function describeIssue(issue: z.core.$ZodRawIssue): string {
  if (issue.input === undefined) return "is missing";
  switch (issue.code) {
    case "invalid_type": {
      const expected = typeNames[issue.expected];
      return expected === undefined ? "has the wrong type" : `must be ${expected}`;
    }
    case "invalid_value":
      return describeChoice(issue.values);
    case "too_big":
      return describeBound(issue, "at most", "less than", issue.maximum);
    case "too_small":
      return describeBound(issue, "at least", "more than", issue.minimum);
    case "not_multiple_of":
      return `must be a multiple of ${issue.divisor}`;
    case "invalid_format":
      return (
        formats[issue.format] ?? (issue.pattern === undefined ? "has the wrong form" : `must match ${issue.pattern}`)
      );
    case "unrecognized_keys":
      return `has unknown fields: ${issue.keys.join(", ")}`;
    case "invalid_union": {
      const { discriminator, options } = issue;
      if (discriminator === undefined || !Array.isArray(options)) return "has the wrong form";
      const isMissing = (issue.input as Record<string, unknown> | null)?.[discriminator] === undefined;
      return isMissing ? "is missing" : describeChoice(options);
    }
    default:
      return "has the wrong form";
  }
}

function describeChoice(values: readonly unknown[]): string {
  const shown = values.map((value) => (typeof value === "string" ? value : JSON.stringify(value))).join(", ");
  return values.length === 1 ? `must be ${shown}` : `must be one of ${shown}`;
}

function describeBound(
  { origin, inclusive = true, exact = false }: { origin: string; inclusive?: boolean; exact?: boolean },
  within: string,
  beyond: string,
  bound: number | bigint,
): string {
  const unit = units[origin];
  const relation = exact ? "exactly" : inclusive ? within : beyond;
  if (unit === undefined) return `must be ${relation} ${bound}`;
  return `must have ${relation} ${bound} ${unit[Number(bound) === 1 ? 0 : 1]}`;
}
