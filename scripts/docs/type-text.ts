import type { JsonSchema } from "@agent-backends/contract/openapi";
import { JsonSchemas } from "@agent-backends/contract/openapi";
import type { z } from "zod";

/** Maximum length of an object type on one line. */
const maxLineLength = 100;
/**
 * Minimum number of fields for a base type: an object that has all fields of a declared type with at least this many extends it. Fewer
 * fields are repeated.
 */
const minBaseFields = 3;

export interface NamedSchema {
  name: string;
  schema: z.core.$ZodType;
  /** Which type of the schema to declare: the one a client sends, or the one it receives. */
  side: "input" | "output";
  /** Top-level fields that the declaration leaves out. */
  omit?: readonly string[];
}

/**
 * Writes the types of schemas as TypeScript declarations without zod. `z.input` doesn't work for requests: it is `unknown` wherever a
 * schema preprocesses its value, and query parameters are strings there.
 */
export class TypeWriter {
  readonly #names: Map<z.core.$ZodType, string>;
  readonly #bases: { name: string; fields: readonly string[] }[] = [];
  /** Appended to the type of an optional field. */
  #orAbsent = "";

  /** @param types TypeScript types of schemas that hide their type, or that parse a string */
  constructor(types: ReadonlyMap<z.core.$ZodType, string>) {
    this.#names = new Map(types);
  }

  /** Declares a named type. Later declarations refer to it by name. */
  declare({ name, schema, side, omit = [] }: NamedSchema): string {
    this.#orAbsent = side === "input" ? " | undefined" : "";
    const { description, ...json } = new JsonSchemas(this.#names).convert(schema, side, schema);
    this.#names.set(schema, name);
    return toComment(description) + this.#declare(name, json, omit);
  }

  #declare(name: string, json: JsonSchema, omit: readonly string[]): string {
    if (json.properties === undefined) {
      const options = listOptions(json)?.map((option) => `\n  | ${indent(this.#toType(option), 4)}`);
      return `export type ${name} =${options?.join("") ?? ` ${this.#toType(json)}`};`;
    }
    const fields = this.#toFields(json, omit);
    const { base, rest } = this.#splitBase(fields);
    if (!json.additionalProperties && omit.length === 0 && fields.length >= minBaseFields)
      this.#bases.push({ name, fields });
    if (base === undefined) return `export interface ${name} ${toBlock(rest)}`;
    return rest.length === 0
      ? `export type ${name} = ${base};`
      : `export interface ${name} extends ${base} ${toBlock(rest)}`;
  }

  #toType(json: JsonSchema): string {
    const { $ref, type, items, allOf, additionalProperties } = json;
    if (typeof $ref === "string") return $ref.replace(/.*\//, "");
    const options = listOptions(json)?.map((option) => this.#toType(option));
    if (options) return [...new Set(options)].join(" | ");
    if ("const" in json) return JSON.stringify(json.const);
    if (Array.isArray(json.enum)) return json.enum.map((value) => JSON.stringify(value)).join(" | ");
    if (Array.isArray(allOf)) {
      const [first = "", ...others] = allOf.map((part) => this.#toType(part));
      return [`(${first})`, ...others].join(" & ");
    }
    if (json.properties) {
      const { base, rest } = this.#splitBase(this.#toFields(json));
      return base === undefined ? toObject(rest) : `${base} & ${toObject(rest)}`;
    }
    if (additionalProperties) return `Record<string, ${this.#toType(additionalProperties as JsonSchema)}>`;
    if (items) {
      const element = this.#toType(items as JsonSchema);
      return /^\w+$/.test(element) ? `${element}[]` : `Array<${element}>`;
    }
    return [type ?? "unknown"].flat().join(" | ").replace("integer", "number");
  }

  /** Formats the fields of an object as lines, with their comments. */
  #toFields({ properties, required = [], additionalProperties }: JsonSchema, omit: readonly string[] = []): string[] {
    const fields = Object.entries(properties as Record<string, JsonSchema>)
      .filter(([name]) => !omit.includes(name))
      .map(([name, schema]) => {
        const isRequired = (required as string[]).includes(name);
        const type = this.#toType(schema);
        return `${toComment(schema.description)}${name}${isRequired ? `: ${type}` : `?: ${type}${this.#orAbsent}`};`;
      });
    if (!additionalProperties || Object.keys(additionalProperties).length === 0) return fields;
    return [...fields, `[name: string]: ${this.#toType(additionalProperties as JsonSchema)} | undefined;`];
  }

  /** Finds the declared type with the most fields of an object and no others. Returns it with the remaining fields. */
  #splitBase(fields: readonly string[]): { base: string | undefined; rest: string[] } {
    const [base] = this.#bases
      .filter((one) => one.fields.every((field) => fields.includes(field)))
      .sort((one, other) => other.fields.length - one.fields.length);
    return { base: base?.name, rest: fields.filter((field) => !base?.fields.includes(field)) };
  }
}

const listOptions = ({ anyOf, oneOf }: JsonSchema) => (anyOf ?? oneOf) as JsonSchema[] | undefined;

const toComment = (description: unknown) => (description === undefined ? "" : `/** ${description} */\n`);

const indent = (text: string, spaces: number) => text.replaceAll("\n", `\n${" ".repeat(spaces)}`);

const toBlock = (fields: readonly string[]) => `{${indent(["", ...fields].join("\n"), 2)}\n}`;

function toObject(fields: readonly string[]): string {
  const line = `{ ${fields.join(" ").replace(/;$/, "")} }`;
  return line.length <= maxLineLength && !/\n|\/\*/.test(line) ? line : toBlock(fields);
}
