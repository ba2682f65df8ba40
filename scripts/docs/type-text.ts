import { fieldsLike } from "@agent-backends/contract";
import type { z } from "zod";

type Schema = z.core.$ZodType;

/** Maximum length of an object type on one line. */
const maxLineLength = 100;
/** An object with all fields of a declared one that has as many as this extends it. Fewer are repeated. */
const minBaseFields = 3;

/** Which type of a schema is meant: the one a client sends, or the one it receives. */
export type Side = "input" | "output";

export interface NamedSchema {
  name: string;
  schema: Schema;
  side: Side;
  /** Top-level fields that the declaration leaves out. */
  omit?: readonly string[];
}

/**
 * Writes the types of schemas as TypeScript declarations without zod. `z.input` can't be used for requests: it is `unknown` wherever a
 * schema preprocesses its value, and its query parameters are texts.
 */
export class TypeWriter {
  readonly #names = new Map<Schema, string>();
  readonly #types: ReadonlyMap<Schema, string>;
  readonly #bases: { name: string; side: Side; fields: [string, Schema][] }[] = [];

  /** @param types the types of schemas that hide theirs */
  constructor(types: ReadonlyMap<Schema, string> = new Map()) {
    this.#types = types;
  }

  /** The declaration of a named type. Later declarations refer to it by its name. */
  declare({ name, schema, side, omit = [] }: NamedSchema): string {
    const def = getDefinition((fieldsLike.get(schema)?.schema as Schema | undefined) ?? schema);
    let text: string;
    if (def.type === "object") {
      const { base, rest } = this.#splitBase(def, side, omit);
      const fields = this.#toObject(rest, side, "", omit);
      if (base === undefined) text = `export interface ${name} ${fields}`;
      else if (/^\{\s*\}$/.test(fields)) text = `export type ${name} = ${base};`;
      else text = `export interface ${name} extends ${base} ${fields}`;
      const shape = Object.entries(def.shape);
      if (!def.catchall && omit.length === 0 && shape.length >= minBaseFields)
        this.#bases.push({ name, side, fields: shape });
    } else {
      const options =
        def.type === "union" ? def.options.map((option) => `\n  | ${this.toType(option, side, "    ")}`) : [];
      text = `export type ${name} =${options.join("") || ` ${this.toType(schema, side)}`};`;
    }
    this.#names.set(schema, name);
    return toComment(schema, "") + text;
  }

  toType(schema: Schema, side: Side, indent = ""): string {
    const known = this.#names.get(schema) ?? this.#types.get(schema);
    if (known !== undefined) return known;
    const like = fieldsLike.get(schema);
    if (like) return this.toType(like.schema as Schema, side, indent);
    const inner = peel(schema);
    if (inner) return this.toType(inner, side, indent);
    const { def } = (schema as z.core.$ZodTypes)._zod;
    switch (def.type) {
      case "object": {
        const { base, rest } = this.#splitBase(def, side);
        const fields = this.#toObject(rest, side, indent, []);
        return base === undefined ? fields : `${base} & ${fields}`;
      }
      case "array": {
        const element = this.toType(def.element, side, indent);
        return /^\w+$/.test(element) ? `${element}[]` : `Array<${element}>`;
      }
      case "record":
        return `Record<string, ${this.toType(def.valueType, side, indent)}>`;
      case "union":
        return [...new Set(def.options.map((option) => this.toType(option, side, indent)))].join(" | ");
      case "intersection":
        return `(${this.toType(def.left, side, indent)}) & ${this.toType(def.right, side, indent)}`;
      case "literal":
        return def.values.map((value) => JSON.stringify(value)).join(" | ");
      case "enum":
        return Object.values(def.entries)
          .map((value) => JSON.stringify(value))
          .join(" | ");
      case "nullable": {
        const type = this.toType(def.innerType, side, indent);
        return side === "input" ? type : `${type} | null`;
      }
      case "string":
      case "number":
      case "boolean":
      case "undefined":
      case "null":
        return def.type;
      default:
        return "unknown";
    }
  }

  /** The declared object that has the most of an object's fields and no others, and what is left. */
  #splitBase(def: z.core.$ZodObjectDef, side: Side, omit: readonly string[] = []) {
    const [base] = this.#bases
      .filter((one) => one.side === side)
      .filter(({ fields }) => fields.every(([name, schema]) => def.shape[name] === schema && !omit.includes(name)))
      .sort((one, other) => other.fields.length - one.fields.length);
    if (base === undefined) return { rest: def };
    const inherited = new Set(base.fields.map(([name]) => name));
    const shape = Object.fromEntries(Object.entries(def.shape).filter(([name]) => !inherited.has(name)));
    return { base: base.name, rest: { ...def, shape } };
  }

  #toObject(def: z.core.$ZodObjectDef, side: Side, indent: string, omit: readonly string[]): string {
    const inner = `${indent}  `;
    const fields = Object.entries(def.shape).flatMap(([name, schema]) => {
      const type = this.toType(schema, side, inner);
      // A field that is only named to be refused.
      if (type === "undefined" || omit.includes(name)) return [];
      const isOptional = side === "input" ? accepts(schema, undefined) : schema._zod.optout === "optional";
      const given = isOptional && side === "input" ? `${type} | undefined` : type;
      return `${toComment(schema, inner)}${inner}${name}${isOptional ? "?" : ""}: ${given};`;
    });
    if (def.catchall && !/unknown|never/.test(def.catchall._zod.def.type)) {
      fields.push(`${inner}[name: string]: ${this.toType(def.catchall, side, inner)} | undefined;`);
    }
    const line = `{ ${fields.map((field) => field.trim().replace(/;$/, "")).join("; ")} }`;
    const isShort = indent !== "" && line.length <= maxLineLength && !/\n|\/\*/.test(line);
    return isShort ? line : `{\n${fields.join("\n")}\n${indent}}`;
  }
}

const accepts = (schema: Schema, value: unknown) => (schema as z.ZodType).safeParse(value).success;

const isTransform = (schema: Schema) => schema._zod.def.type === "transform" && !fieldsLike.has(schema);

/** The schema within one that only says what happens to an absent or invalid value, or transforms a valid one. */
function peel(schema: Schema): Schema | undefined {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case "optional":
    case "default":
    case "prefault":
    case "catch":
    case "nonoptional":
    case "readonly":
      return def.innerType;
    case "pipe":
      // Of a transformation and a schema, in either order, the schema has the type.
      return isTransform(def.out) ? def.in : def.out;
    default:
      return undefined;
  }
}

function getDefinition(schema: Schema): z.core.$ZodTypes["_zod"]["def"] {
  const inner = peel(schema);
  return inner ? getDefinition(inner) : (schema as z.core.$ZodTypes)._zod.def;
}

function toComment(schema: Schema, indent: string): string {
  const { description } = schema as z.ZodType;
  return description === undefined ? "" : `${indent}/** ${description} */\n`;
}
