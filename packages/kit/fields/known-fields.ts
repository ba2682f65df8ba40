import { fieldsLike } from "@agent-backends/contract";
import type { z } from "zod";

/** The fields that a schema knows. Undefined if it accepts any field, as a record does. */
export interface KnownFields {
  /** For an object: its fields, with their nested fields. */
  readonly names?: ReadonlyMap<string, KnownFields | undefined>;
  /** For a list: the fields of its elements. */
  readonly elements?: KnownFields;
  /** For a list element: fields of the request that an element can't have. */
  readonly requestFields?: readonly string[];
}

const known = new WeakMap<z.core.$ZodType, { fields: KnownFields | undefined }>();

/** Reads the fields from the schema itself, so that new fields are known automatically. */
export function getKnownFields(schema: z.core.$ZodType): KnownFields | undefined {
  let entry = known.get(schema);
  if (entry === undefined) {
    entry = { fields: readFields(schema) };
    known.set(schema, entry);
  }
  return entry.fields;
}

function readFields(schema: z.core.$ZodType): KnownFields | undefined {
  const like = fieldsLike.get(schema);
  if (like) {
    const fields = getKnownFields(like.schema as z.core.$ZodType);
    return fields && like.requestFields ? { ...fields, requestFields: like.requestFields } : fields;
  }
  const { def } = (schema as z.core.$ZodTypes)._zod;
  switch (def.type) {
    case "object":
      return {
        names: new Map(Object.entries(def.shape).map(([name, field]) => [name, getKnownFields(field)])),
      };
    case "array":
      return toList(getKnownFields(def.element));
    case "union":
      return def.options.map(getKnownFields).reduce(merge, undefined);
    case "pipe":
      // In a pipe of a transformation and a schema, in either order, only the schema has fields.
      return getKnownFields(def.in) ?? getKnownFields(def.out);
    case "optional":
    case "nullable":
    case "default":
    case "prefault":
    case "catch":
    case "nonoptional":
    case "readonly":
      return getKnownFields(def.innerType);
    default:
      return undefined;
  }
}

const toList = (elements: KnownFields | undefined): KnownFields | undefined => elements && { elements };

/** A field of any union member counts as known, because only the schema itself can tell which member was meant. */
function merge(one: KnownFields | undefined, other: KnownFields | undefined): KnownFields | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  const names = new Map(one.names);
  for (const [name, fields] of other.names ?? []) names.set(name, merge(names.get(name), fields));
  const elements = merge(one.elements, other.elements);
  return { ...(names.size > 0 && { names }), ...(elements && { elements }) };
}
