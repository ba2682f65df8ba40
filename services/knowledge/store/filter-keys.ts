import type { SearchFilter } from "@agent-backends/contract";
import type { DocumentSource } from "./document.ts";
import { listSpellings } from "./source-spellings.ts";

type FieldValue = string | number | boolean;

/** The fields of a document itself. Their values are texts. */
const ownFields = new Set(["source", "content_type", "title"]);

const toFieldKey = (name: string, value: FieldValue): string => JSON.stringify([name, value]);

/** The keys of the values that a filter wants for a field: a document has the field with one of them if it has one of the keys. */
export function toFieldKeys(name: string, wanted: SearchFilter[string]): string[] {
  const values = ownFields.has(name) ? [wanted].flat().map(String) : [wanted].flat();
  const spelt = name === "source" ? [...new Set(values.map(String).flatMap(listSpellings))] : values;
  return spelt.map((value) => toFieldKey(name, value));
}

/** The keys of all fields that a filter may name, each with its value. A list has a key for each of its values. */
export function listFieldKeys({ source, title, contentType, metadata = {} }: DocumentSource): string[] {
  const own = { source, title, content_type: contentType };
  // Names of own fields were not always reserved.
  const ofClient = Object.entries(metadata).filter(([name]) => !ownFields.has(name));
  const fields = [...ofClient, ...Object.entries(own)];
  return fields.flatMap(([name, value]) =>
    value === undefined ? [] : [...new Set([value].flat().map((one: FieldValue) => toFieldKey(name, one)))],
  );
}
