import type { SearchFilter } from "@agent-backends/contract";
import type { DocumentSource } from "./document.ts";
import { listSpellings } from "./source-spellings.ts";

type FieldValue = string | number | boolean;

/** The document's own fields. Their values are texts. */
const ownFields = new Set(["source", "content_type", "title"]);

const toFieldKey = (name: string, value: FieldValue): string => JSON.stringify([name, value]);

/** The keys for a field's wanted values. A document that has one of the keys has the field with one of the values. */
export function toFieldKeys(name: string, wanted: SearchFilter[string]): string[] {
  const values = ownFields.has(name) ? [wanted].flat().map(String) : [wanted].flat();
  const spelt = name === "source" ? [...new Set(values.map(String).flatMap(listSpellings))] : values;
  return spelt.map((value) => toFieldKey(name, value));
}

/** The keys of all fields that a filter may name, with their values. A list has one key for each of its values. */
export function listFieldKeys({ source, title, contentType, metadata = {} }: DocumentSource): string[] {
  const own = { source, title, content_type: contentType };
  // Skip client fields with the name of an own field. Earlier versions allowed them.
  const ofClient = Object.entries(metadata).filter(([name]) => !ownFields.has(name));
  const fields = [...ofClient, ...Object.entries(own)];
  return fields.flatMap(([name, value]) =>
    value === undefined ? [] : [...new Set([value].flat().map((one: FieldValue) => toFieldKey(name, one)))],
  );
}
