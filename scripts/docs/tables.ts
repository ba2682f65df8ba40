import type { Limit } from "@agent-backends/contract";
import { z } from "zod";

export const code = (text: string): string => `\`${text}\``;

/** Formats a list: "a, b and c". */
export const enumerate = (words: readonly string[]): string =>
  words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`;

export function table(head: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  return [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

const spaced = (value: number) => String(value).replace(/\B(?=(\d{3})+$)/g, " ");

/** Formats a number with its unit: "50 MiB", "15 s", "25 000". */
function withUnit(value: number, unit: string): string {
  if (unit === "bytes") return value >= 2 ** 20 ? `${value / 2 ** 20} MiB` : `${value / 2 ** 10} KiB`;
  if (unit === "ms") return `${spaced(value / 1_000)} s`;
  return [spaced(value), unit].filter(Boolean).join(" ");
}

function limitValue({ value, unit }: Limit): string {
  if (typeof value === "number") return withUnit(value, unit);
  return `${value.min}…${spaced(value.max)}${value.default === undefined ? "" : `, default ${value.default}`}`;
}

export function limitRows(limits: readonly Limit[]): string {
  return table(
    ["services", "limit", "value", "beyond", "variable"],
    limits.map((limit) => [
      ...[limit.service, limit.what, limitValue(limit), limit.beyond],
      limit.variable === undefined ? "" : code(limit.variable),
    ]),
  );
}

/** Metadata of a variable: `default` is the table's text if the schema has no default, and `unit` is the unit of the value. */
interface VariableMeta {
  description?: string;
  default?: string;
  unit?: string;
}

function getDefault(schema: z.ZodType, { default: shown, unit = "" }: VariableMeta): string {
  if (shown !== undefined) return shown;
  const value = schema instanceof z.ZodDefault ? schema.def.defaultValue : undefined;
  if (value === undefined) return "–";
  const hasUnit = unit !== "" && Number(value) >= (unit === "bytes" ? 1_024 : 1_000);
  return code(String(value)) + (hasUnit ? ` (${withUnit(Number(value), unit)})` : "");
}

/** Rows for the variables. Those without a description change a limit, and docs/limits.md describes them. They share the last row. */
export function variableRows(shape: Readonly<Record<string, z.ZodType>>, limits: readonly Limit[]): string {
  const described = Object.entries(shape).filter(([, schema]) => schema.description !== undefined);
  const others = Object.keys(shape).filter((name) => shape[name]?.description === undefined);
  const unknown = others.filter((name) => limits.every(({ variable }) => variable !== name));
  if (unknown.length > 0) throw new Error(`Describe ${unknown.join(", ")} with .describe() beside the schema.`);
  return table(
    ["variable", "default", "meaning"],
    [
      ...described.map(([name, schema]) => {
        const meta: VariableMeta = schema.meta() ?? {};
        return [code(name), getDefault(schema, meta), meta.description ?? ""];
      }),
      ...(others.length > 0 ? [[others.map(code).join(", "), "see [limits](limits.md)", "the limits"]] : []),
    ],
  );
}

const isOptional = (schema: z.ZodType) => schema instanceof z.ZodOptional;

/** The fields of an object: first the required ones, then the optional ones. */
export function fieldNames({ shape }: { shape: Readonly<Record<string, z.ZodType>> }): string {
  const names = (optional: boolean) =>
    Object.keys(shape).filter((name) => isOptional(shape[name] as z.ZodType) === optional);
  const always = names(false).map(code).join(", ");
  const sometimes = names(true).map(code);
  return sometimes.length > 0 ? `${always} and, where known, ${enumerate(sometimes)}` : always;
}

/** The objects of a union, each with the value of its discriminator and its other fields. */
export function eventRows(union: { options: readonly z.ZodType[] }, discriminator: string): string {
  return table(
    [code(discriminator), "other fields"],
    union.options.map((option) => {
      const { [discriminator]: kind, ...fields } = (option as z.ZodObject).shape;
      const cells = Object.entries(fields).map(([name, schema]) => {
        if (schema instanceof z.ZodLiteral)
          return `${code(name)}: ${[...schema.values].map((value) => code(String(value))).join(", ")}`;
        return code(isOptional(schema as z.ZodType) ? `${name}?` : name);
      });
      return [
        listValues(kind as z.ZodType)
          .map(code)
          .join(", "),
        cells.join(", "),
      ];
    }),
  );
}

function listValues(schema: z.ZodType): string[] {
  if (schema instanceof z.ZodLiteral) return [...schema.values].map(String);
  if (schema instanceof z.ZodEnum) return schema.options.map(String);
  throw new Error("Only literals and enums tell the objects of a union apart.");
}

/** The fields of a JSON object in one line: `{action: "top", limit, topic?}`. */
export function jsonShape(schema: z.ZodType, omitted: readonly string[] = []): string {
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  const fields = Object.entries(properties).filter(([name]) => !omitted.includes(name));
  return `{${fields.map(([name, field]) => writeField(required.includes(name) ? name : `${name}?`, field as JsonField)).join(", ")}}`;
}

type JsonField = { const?: unknown; properties?: object };

function writeField(name: string, { const: value, properties }: JsonField): string {
  if (value !== undefined) return `${name}: ${JSON.stringify(value)}`;
  return properties === undefined ? name : `${name}: {${Object.keys(properties).join(", ")}}`;
}
