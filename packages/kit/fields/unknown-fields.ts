import type { InvalidField } from "@agent-backends/contract";
import { limits, unrelatedFieldNames } from "@agent-backends/contract";
import type { z } from "zod";
import type { KnownFields } from "./known-fields.ts";
import { getKnownFields } from "./known-fields.ts";
import { findMissingName, findSimilarName, isSameName } from "./similar-name.ts";

export interface FieldRules {
  /** Where else the route takes fields: in its query, seen from its body, or the other way round. */
  otherPlace?: { name: "query" | "body"; schema: z.core.$ZodType } | undefined;
  /** Refuses every unknown field: a route that deletes would delete more than was meant. */
  isStrict?: boolean;
}

export interface UnknownFields {
  /** Fields that stand for known ones. */
  refused: InvalidField[];
  /** Pointers to the known fields that are missing because refused ones stand for them. */
  meant: string[];
  /** All others, each once, however many elements of a list have it. */
  ignored: InvalidField[];
}

/**
 * Finds the fields of a request that its schema doesn't know.
 *
 * @param missing pointers to the required fields that the request lacks
 */
export function findUnknownFields(
  schema: z.core.$ZodType,
  value: unknown,
  rules: FieldRules = {},
  missing: ReadonlySet<string> = new Set(),
): UnknownFields {
  const fields = getKnownFields(schema);
  const search = new Search(rules, fields, value, missing);
  if (fields) search.visit(fields, value);
  return search.found;
}

/** What is known of the unknown names that were sent for the same fields. */
const similarNames = new WeakMap<KnownFields, Map<string, string | undefined>>();

/** The object in which some routes take a part of their fields. */
const toolParameters = "tool_params";

/** Whether an object has no field of this name, however it is spelt. */
function isAbsent(object: unknown, name: string): boolean {
  if (typeof object !== "object" || object === null) return true;
  return Object.entries(object).every(([other, value]) => value == null || !isSameName(other, name));
}

class Search {
  readonly found: UnknownFields = { refused: [], meant: [], ignored: [] };
  readonly #rules: FieldRules;
  readonly #rootFields: KnownFields | undefined;
  readonly #root: unknown;
  readonly #missing: ReadonlySet<string>;
  readonly #path: (string | number)[] = [];
  readonly #seen = new Map<KnownFields, Set<string>>();
  #compared = 0;

  constructor(rules: FieldRules, rootFields: KnownFields | undefined, root: unknown, missing: ReadonlySet<string>) {
    this.#rules = rules;
    this.#rootFields = rootFields;
    this.#root = root;
    this.#missing = missing;
  }

  // Conversations have thousands of fields, nearly all of them known. Those cost one look into a map.
  visit(fields: KnownFields, value: unknown): void {
    if (typeof value !== "object" || value === null) return;
    if (Array.isArray(value)) {
      if (fields.elements === undefined) return;
      for (let index = 0; index < value.length; index++) this.#enter(fields.elements, index, value[index]);
      return;
    }
    const { names } = fields;
    if (names === undefined) return;
    for (const name in value) {
      const inner = names.get(name);
      if (inner !== undefined) this.#enter(inner, name, (value as Record<string, unknown>)[name]);
      else if (!names.has(name)) this.#checkUnknown(fields, name, value as Record<string, unknown>);
    }
  }

  /** Whether a request lacks a field. Messages may do without content in some routes, and have a text for another purpose. */
  #isMissing(name: string, object: unknown): boolean {
    return isAbsent(object, name) && (name !== "content" || this.#missing.has(jsonPointer([...this.#path, name])));
  }

  #enter(fields: KnownFields, key: string | number, value: unknown): void {
    this.#path.push(key);
    this.visit(fields, value);
    this.#path.pop();
  }

  #checkUnknown(fields: KnownFields, name: string, object: Readonly<Record<string, unknown>>): void {
    // Before names are compared, because the number of comparisons is limited.
    if (fields.requestFields?.includes(name) && !this.#isSameInRequest(name, object[name])) {
      this.#refuse(
        name,
        `belongs at the top level, not in an item of \`${this.#path.at(-2)}\`: it holds for all items`,
      );
      return;
    }
    if (!this.#rules.isStrict && !this.#mayCompare(fields, name)) {
      this.#ignore(fields, name);
      return;
    }
    const place = object[name] === null ? undefined : this.#findPlace(name);
    if (place !== undefined) {
      this.#refuse(name, `belongs ${place}`);
      return;
    }
    const found = this.#findSimilar(fields, name);
    if (found !== undefined && fields.requestFields?.includes(found)) {
      if (this.#isSameInRequest(found, object[name])) this.#ignore(fields, name);
      else this.#refuse(name, `isn't a known field; use \`${found}\` at the top level, where it holds for all items`);
      return;
    }
    const similar =
      found ?? findMissingName(name, (known) => fields.names?.has(known) === true && this.#isMissing(known, object));
    // The field in two spellings with the same value is what a client sends that serves several services.
    const isHarmless =
      similar === undefined || object[name] === null || (isSameName(similar, name) && object[similar] === object[name]);
    if (!isHarmless) {
      this.#refuse(name, `isn't a known field; use \`${similar}\``);
      if (object[similar] === undefined) this.found.meant.push(jsonPointer([...this.#path, similar]));
    } else if (this.#rules.isStrict) this.#refuse(name, "isn't a known field; leave it out");
    else {
      this.#ignore(fields, name);
      if (isSameName(name, toolParameters)) this.#checkUnusedParameters(name, object[name]);
    }
  }

  /** Whether an item's field has no value, or the one that the request has at its top level. */
  #isSameInRequest(name: string, value: unknown): boolean {
    return value === null || value === (this.#root as Record<string, unknown>)[name];
  }

  /** Known fields would have no effect in parameters that the route doesn't take. */
  #checkUnusedParameters(parameters: string, value: unknown): void {
    if (typeof value !== "object" || value === null) return;
    this.#path.push(parameters);
    for (const [name, inner] of Object.entries(value)) {
      const place = inner === null ? undefined : this.#findPlace(name);
      if (place !== undefined) this.#refuse(name, `belongs ${place}`);
    }
    this.#path.pop();
  }

  /** Where else the request has a field of this name. Undefined where it has none, or the field is set there, which wins. */
  #findPlace(name: string): string | undefined {
    if (unrelatedFieldNames.includes(name)) return undefined;
    const rootNames = this.#rootFields?.names;
    if (this.#path.length === 1 && typeof this.#path[0] === "string") {
      return rootNames?.has(name) && isAbsent(this.#root, name)
        ? `at the top level, not in \`${this.#path[0]}\``
        : undefined;
    }
    if (this.#path.length > 0) return undefined;
    const { otherPlace } = this.#rules;
    if (otherPlace && getKnownFields(otherPlace.schema)?.names?.has(name)) {
      return `in the ${otherPlace.name}, not in the ${otherPlace.name === "body" ? "query" : "body"}`;
    }
    const parents = [...(rootNames ?? [])].filter(([, inner]) => inner?.names?.has(name)).map(([parent]) => parent);
    const isSetThere = parents.some((parent) => !isAbsent((this.#root as Record<string, unknown>)[parent], name));
    return parents.length > 0 && !isSetThere ? `in \`${parents[0]}\`, not at the top level` : undefined;
  }

  /** Whether a name was compared in earlier requests, or this request may still compare one. */
  #mayCompare(fields: KnownFields, name: string): boolean {
    if (similarNames.get(fields)?.has(name)) return true;
    if (this.#compared === limits.comparedFields) return false;
    this.#compared++;
    return true;
  }

  #findSimilar(fields: KnownFields, name: string): string | undefined {
    const memory = similarNames.get(fields) ?? new Map<string, string | undefined>();
    similarNames.set(fields, memory);
    if (memory.has(name)) return memory.get(name);
    const similar =
      findSimilarName(name, fields.names?.keys() ?? []) ?? findSimilarName(name, fields.requestFields ?? []);
    if (memory.size < limits.comparedFields) memory.set(name, similar);
    return similar;
  }

  #refuse(name: string, detail: string): void {
    if (this.found.refused.length === limits.invalidFieldsNamed) return;
    this.found.refused.push({ pointer: jsonPointer([...this.#path, name]), detail });
  }

  #ignore(fields: KnownFields, name: string): void {
    if (this.found.ignored.length === limits.ignoredFieldsNamed) return;
    const seen = this.#seen.get(fields) ?? new Set();
    this.#seen.set(fields, seen);
    if (seen.has(name)) return;
    seen.add(name);
    this.found.ignored.push({
      pointer: jsonPointer([...this.#path, name]),
      detail: "isn't a known field; it was ignored",
    });
  }
}

/** Longer names in a pointer are cut. In UTF-16 code units. */
const maxPointerNameLength = 200;

/** An RFC 6901 pointer to a field. */
export function jsonPointer(path: readonly PropertyKey[]): string {
  return path
    .map((key) => String(key).slice(0, maxPointerNameLength).toWellFormed())
    .map((name) => `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`)
    .join("");
}
