import { z } from "zod";
import * as contract from "../index.ts";
import { fieldsLike, isObject } from "../shapes.ts";

export type JsonSchema = Record<string, unknown>;
/** Requests are described before parsing (input), responses after it (output). */
type Direction = "input" | "output";

/** The exported schemas of the contract. A document contains each schema it needs once, under this name. */
const contractNames = new Map<z.core.$ZodType, string>();
for (const [name, value] of Object.entries(contract)) {
  if (value instanceof z.ZodType) contractNames.set(value, toComponentName(name));
}

/** Turns `searchRequestSchema` into `SearchRequest`. */
function toComponentName(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1).replace(/Schema$/, "");
}

/** Converts zod schemas to the JSON schemas of one document. */
export class JsonSchemas {
  /** The components that the converted schemas refer to. */
  readonly components: Record<string, JsonSchema> = {};
  readonly #names: ReadonlyMap<z.core.$ZodType, string>;

  /** @param names names of the schemas that become references */
  constructor(names: ReadonlyMap<z.core.$ZodType, string> = contractNames) {
    this.#names = names;
  }

  /** Converts the properties of an object schema, for parameters. */
  convertFields(
    schema: z.core.$ZodType,
    io: Direction,
  ): { properties: Record<string, JsonSchema>; required: string[] } {
    const { properties = {}, required = [] } = this.convert(schema, io, schema);
    return { properties: properties as Record<string, JsonSchema>, required: required as string[] };
  }

  /**
   * Converts a zod schema to a JSON schema: to a reference if it has a name.
   *
   * @param inlined the schema that doesn't become a reference
   */
  convert(schema: z.core.$ZodType, io: Direction, inlined?: z.core.$ZodType): JsonSchema {
    const { $schema, ...converted } = z.toJSONSchema(schema, {
      io,
      unrepresentable: "any",
      override: ({ zodSchema, jsonSchema }) => {
        const like = findLike(zodSchema);
        if (like !== undefined && like !== zodSchema) {
          const { description } = jsonSchema;
          replace(jsonSchema, { ...this.convert(like, io, like), ...(description !== undefined && { description }) });
        }
        const { def } = (zodSchema as z.core.$ZodTypes)._zod;
        if (def.type === "undefined") jsonSchema.not = {};
        if (def.type === "object" && io === "input") requireFields(def.shape, jsonSchema as JsonSchema);
        // Transformations in responses only repair values and keep their type.
        if (def.type === "pipe" && io === "output" && isTransformation(def.out)) {
          replace(jsonSchema, this.convert(def.in, io));
        }
        // Other parts of the schema are still incomplete here, so components are extracted afterwards.
        const name = zodSchema === inlined ? undefined : this.#names.get(zodSchema);
        if (name !== undefined) jsonSchema[nameMark] = name;
        else if (!isWrapper(def.type)) delete jsonSchema[nameMark];
      },
    });
    return this.#takeComponents(tidy(toPlainJson(converted), io), io);
  }

  /** Replaces the named parts of a schema with references. */
  #takeComponents(value: JsonSchema, io: Direction): JsonSchema {
    const replaced: JsonSchema = {};
    for (const [key, inner] of Object.entries(value)) {
      if (Array.isArray(inner))
        replaced[key] = inner.map((one) => (isObject(one) ? this.#takeComponents(one, io) : one));
      else replaced[key] = isObject(inner) ? this.#takeComponents(inner, io) : inner;
    }
    const { [nameMark]: name, description, default: usual, ...component } = replaced;
    if (typeof name !== "string") return replaced;
    return {
      $ref: this.#addComponent(name, component, io),
      ...(description !== undefined && { description }),
      ...(usual !== undefined && { default: usual }),
    };
  }

  #addComponent(name: string, component: JsonSchema, io: Direction): string {
    const existing = this.components[name];
    const isOther = existing !== undefined && JSON.stringify(existing) !== JSON.stringify(component);
    const unique = isOther ? `${name}${io === "input" ? "Input" : "Output"}` : name;
    this.components[unique] = component;
    return `#/components/schemas/${unique}`;
  }
}

const nameMark = "x-name";

/** Whether a schema has the same JSON schema as the one it wraps. */
const isWrapper = (type: string) =>
  ["optional", "default", "prefault", "catch", "readonly", "nonoptional", "pipe"].includes(type);

/** Finds the schema that describes the fields of one that hides or doesn't check them, also below transformations. */
function findLike(schema: z.core.$ZodType): z.core.$ZodType | undefined {
  const like = fieldsLike.get(schema)?.schema as z.core.$ZodType | undefined;
  if (like) return like;
  const { def } = (schema as z.core.$ZodTypes)._zod;
  return def.type === "pipe" ? findLike(def.in) : undefined;
}

const isTransformation = ({ _zod }: z.core.$ZodType) => _zod.def.type === "transform";

/** Corrects `required`: zod considers every transformation optional, `buildListSchema` included, and every custom schema required. */
function requireFields(shape: Readonly<z.core.$ZodShape>, jsonSchema: JsonSchema): void {
  const required = new Set((jsonSchema.required ?? []) as string[]);
  for (const [name, field] of Object.entries(shape)) {
    if (!findLike(field)) continue;
    if (z.safeParse(field, undefined).success) required.delete(name);
    else required.add(name);
  }
  if (required.size > 0) jsonSchema.required = [...required];
}

function replace(target: object, source: JsonSchema): void {
  const object = target as JsonSchema;
  for (const key of Object.keys(object)) delete object[key];
  Object.assign(object, source);
}

const toPlainJson = (value: object) => JSON.parse(JSON.stringify(value)) as JsonSchema;

/** Removes what zod adds and readers don't need. Responses may gain fields, so they stay open. */
function tidy(schema: JsonSchema, io: Direction): JsonSchema {
  const tidied: JsonSchema = {};
  for (const [key, value] of Object.entries(schema)) {
    if (key === "additionalProperties" && value === false) continue;
    // The format implies the pattern.
    if (key === "pattern" && "format" in schema) continue;
    if ((key === "maximum" || key === "minimum") && Math.abs(value as number) === Number.MAX_SAFE_INTEGER) continue;
    if (key === "properties") tidied[key] = tidyProperties(value as JsonSchema, schema, io);
    else if (key === "default" || key === "examples" || key === "enum" || key === "const") tidied[key] = value;
    else if (Array.isArray(value)) tidied[key] = value.map((one) => (isObject(one) ? tidy(one, io) : one));
    else tidied[key] = isObject(value) ? tidy(value, io) : value;
  }
  return io === "input" ? withoutNull(tidied) : tidied;
}

/** Removes forbidden request fields. They are in the schema only to be refused with a better message. */
function tidyProperties(properties: JsonSchema, { required = [] }: JsonSchema, io: Direction): JsonSchema {
  const kept: JsonSchema = {};
  for (const [name, value] of Object.entries(properties)) {
    const property = tidy(value as JsonSchema, io);
    const isForbidden = !(required as string[]).includes(name) && "not" in property;
    if (!isForbidden) kept[name] = property;
  }
  return kept;
}

/** Removes `null`, which counts as absent in all optional request fields. The document says so once. */
function withoutNull(schema: JsonSchema): JsonSchema {
  const { anyOf, ...rest } = schema;
  if (Array.isArray(schema.type)) {
    const types = schema.type.filter((type) => type !== "null");
    return { ...schema, type: types.length === 1 ? types[0] : types };
  }
  if (!Array.isArray(anyOf)) return schema;
  const options = anyOf.filter(({ type }: JsonSchema) => type !== "null") as JsonSchema[];
  const [only = {}] = options;
  return options.length === 1 ? { ...only, ...rest } : { ...rest, anyOf: options };
}
