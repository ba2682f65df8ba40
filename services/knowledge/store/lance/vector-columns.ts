import { createHash } from "node:crypto";
import type { Schema } from "apache-arrow";
import type { Embedding } from "../document.ts";
import { UnknownStoreError } from "../errors.ts";

/** A column of vectors; a table has one, or two while its chunks are given vectors of another model. */
export interface VectorColumn extends Embedding {
  name: string;
}

const modelKey = "embedding_model";

/** The same for the same model and dimension, so that work that was interrupted finds its column again. */
export function vectorColumnName({ model, dimension }: Embedding): string {
  const digest = createHash("sha256").update(`${model}\0${dimension}`, "utf8").digest("hex");
  return `vector_${digest.slice(0, 16)}`;
}

export const vectorMetadata = ({ model }: Embedding): Map<string, string> => new Map([[modelKey, model]]);

/** As a schema records it: whoever reads one takes a byte order mark away that a text begins with. */
export const recordedNamespace = (namespace: string): string =>
  namespace.startsWith("\ufeff") ? `\ufeff${namespace}` : namespace;

export interface TableDescription {
  namespace: string;
  /** The vectors that are searched: the oldest column. Dropping it makes the next one that. */
  active: VectorColumn;
  /** Columns that are being filled. */
  building: VectorColumn[];
}

/** What a table's schema records of its namespace. @throws UnknownStoreError when it is no table of this store */
export function readSchema(schema: Schema): TableDescription {
  const namespace = schema.metadata.get("namespace");
  const [active, ...building] = schema.fields
    .filter(({ name }) => name.startsWith("vector_"))
    .map(({ name, type, metadata }): VectorColumn => {
      const { listSize = 0 } = type as { listSize?: number };
      return { name, model: metadata.get(modelKey) ?? "", dimension: listSize };
    });
  if (namespace === undefined || !active) throw new UnknownStoreError();
  return { namespace, active, building };
}
