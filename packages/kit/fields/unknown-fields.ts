import type { InvalidField } from "@agent-backends/contract";
import { limits, unrelatedFieldNames } from "@agent-backends/contract";
import type { z } from "zod";
import type { KnownFields } from "./known-fields.ts";
import { getKnownFields } from "./known-fields.ts";
import { findMissingName, findSimilarName, isSameName } from "./similar-name.ts";

export interface FieldRules {
  /** The other place where the route takes fields: the query for its body, or the body for its query. */
  otherPlace?: { name: "query" | "body"; schema: z.core.$ZodType } | undefined;
  /** Refuses every unknown field: a delete route would otherwise delete more than intended. */
  isStrict?: boolean;
}

export interface UnknownFields {
  /** Fields that stand for known ones. */
  refused: InvalidField[];
  /** Pointers to missing known fields that refused fields stand for. */
  meant: string[];
  /** All other unknown fields. Each is listed once, however many elements of a list have it. */
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

/** Cached results for unknown names, by the fields that they were compared with. */
const similarNames = new WeakMap<KnownFields, Map<string, string | undefined>>();

/** The object in which some routes accept some of their fields. */
const toolParameters = "tool_params";

/** Whether an object lacks a field in every spelling of its name. */
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

  // Conversations have thousands of fields, nearly all of them known. A known field costs one map lookup.
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

  /** Whether a request lacks a field. In some routes messages may have no content, and may have a text for another purpose. */
  #isMissing(name: string, object: unknown): boolean {
    return isAbsent(object, name) && (name !== "content" || this.#missing.has(jsonPointer([...this.#path, name])));
  }

  #enter(fields: KnownFields, key: string | number, value: unknown): void {
    this.#path.push(key);
    this.visit(fields, value);
    this.#path.pop();
  }

  #checkUnknown(fields: KnownFields, name: string, object: Readonly<Record<string, unknown>>): void {
    // Check this before comparing names, because the number of comparisons is limited.
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
    // Clients that serve several services send a field in two spellings with the same value.
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

  /** Whether an item's field is null, or equal to the request's top-level field. */
  #isSameInRequest(name: string, value: unknown): boolean {
    return value === null || value === (this.#root as Record<string, unknown>)[name];
  }

  /** Refuses known fields in parameters that the route doesn't read, where they would have no effect. */
  #checkUnusedParameters(parameters: string, value: unknown): void {
    if (typeof value !== "object" || value === null) return;
    this.#path.push(parameters);
    for (const [name, inner] of Object.entries(value)) {
      const place = inner === null ? undefined : this.#findPlace(name);
      if (place !== undefined) this.#refuse(name, `belongs ${place}`);
    }
    this.#path.pop();
  }

  /**
   * The place in the request that takes a field of this name. Undefined if there is none, or if the field is already set there and takes
   * precedence.
   */
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

  /** Whether the name was compared in an earlier request, or this request may still compare one. */
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

/** Maximum length of a name in a pointer, in UTF-16 code units. Longer names are cut. */
const maxPointerNameLength = 200;

/** Builds an RFC 6901 pointer to a field. */
export function jsonPointer(path: readonly PropertyKey[]): string {
  return path
    .map((key) => String(key).slice(0, maxPointerNameLength).toWellFormed())
    .map((name) => `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`)
    .join("");
}
