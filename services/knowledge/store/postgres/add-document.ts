import { randomUUID } from "node:crypto";
import type { DocumentPart, NewDocument } from "../document.ts";
import { toSource } from "../document.ts";
import { toEmbedding } from "../embeddings.ts";
import { NamespaceGoneError } from "../errors.ts";
import { PartReader } from "../part-reader.ts";
import type { PartRows } from "./chunk-rows.ts";
import { insertPart, toPartParameters, toPartRows } from "./chunk-rows.ts";
import { isForeignKeyViolation, isUniqueViolation } from "./database/connection-errors.ts";
import type { Database, Query } from "./database/database.ts";
import { listKeys } from "./keys.ts";
import type { StoredNamespace } from "./namespaces.ts";
import { lockNamespace, openOrCreateNamespace, recordLanguages } from "./namespaces.ts";

/** Maximum number of attempts to store a document whose namespace is deleted in the meantime. */
const maxAttempts = 4;

/** Stores a document unless its content is already stored. @throws like `DocumentStore.add` */
export async function addDocument(
  database: Database,
  namespace: string,
  { document, mayCreate }: { document: NewDocument; mayCreate: () => boolean },
): Promise<boolean> {
  for (let attempt = 1; ; attempt += 1) {
    const parts = new PartReader(document);
    try {
      const first = await parts.first();
      const embedding = toEmbedding(document, first);
      const stored = await openOrCreateNamespace(database, namespace, { embedding, mayCreate: mayCreate() });
      const upload = new Upload(database, { namespace, stored, document });
      const isWhole = first.chunks.length === document.chunkCount;
      return await (isWhole ? upload.addWhole(first) : upload.addInParts(parts));
    } catch (error) {
      const isGone = error instanceof NamespaceGoneError || isForeignKeyViolation(error);
      if (!isGone || attempt === maxAttempts || !mayCreate()) throw isGone ? new NamespaceGoneError() : error;
    } finally {
      await parts.close();
    }
  }
}

class Upload {
  readonly #database: Database;
  readonly #namespace: string;
  readonly #stored: StoredNamespace;
  readonly #document: NewDocument;
  readonly #id = randomUUID();

  constructor(
    database: Database,
    { namespace, stored, document }: { namespace: string; stored: StoredNamespace; document: NewDocument },
  ) {
    this.#database = database;
    this.#namespace = namespace;
    this.#stored = stored;
    this.#document = document;
  }

  /** Stores a document of one part with one statement. */
  async addWhole(part: DocumentPart): Promise<boolean> {
    const rows = await this.#toRows(part);
    const values = this.#toDocumentValues(rows.terms, true);
    const insert = `
      WITH stored AS (
        ${insertDocument}
        ON CONFLICT (namespace_id, hash) WHERE is_whole DO NOTHING
        RETURNING pk
      ), ${insertPart(values.length + 1, this.#stored.embedding.id)}
      SELECT FROM stored`;
    return this.#database.transaction(async (query, attempt) => {
      const { count } = await this.#write(query, rows, () => query(insert, [...values, ...toPartParameters(0, rows)]));
      return count > 0 || (attempt > 1 && (await this.#isOurs(query)));
    });
  }

  /** Stores a document with a transaction for each part. No part is visible before the last transaction. */
  async addInParts(parts: AsyncIterable<DocumentPart>): Promise<boolean> {
    const { rows } = await this.#database.transaction(async (query) => {
      await lockNamespace(query, this.#namespace, this.#stored);
      return query<{ pk: string }>(`${insertDocument} RETURNING pk`, this.#toDocumentValues(0, false));
    });
    const pk = rows[0]?.pk;
    try {
      let [position, chunks, terms] = [0, 0, 0];
      for await (const part of parts) {
        const partRows = await this.#toRows(part);
        await this.#addPart(pk, position, partRows);
        position += 1;
        chunks += partRows.chunks;
        terms += partRows.terms;
      }
      if (chunks !== this.#document.chunkCount)
        throw new Error(`A document has ${chunks} chunks instead of ${this.#document.chunkCount}.`);
      await this.#database.transaction(async (query) => {
        await lockNamespace(query, this.#namespace, this.#stored);
        const finish = "UPDATE documents SET is_whole = true, term_count = $2 WHERE pk = $1";
        if ((await query(finish, [pk, terms])).count === 0) throw new NamespaceGoneError();
      });
      return true;
    } catch (error) {
      // Ignore the error: the first error matters more, and the upkeep removes rows that can't be removed now.
      await this.#database.query("DELETE FROM documents WHERE pk = $1", [pk]).catch(() => undefined);
      if (isUniqueViolation(error)) return false;
      throw error;
    }
  }

  async #addPart(pk: string | undefined, position: number, rows: PartRows): Promise<void> {
    const insert = `
      WITH stored AS (UPDATE documents SET changed_at = now() WHERE pk = $1 RETURNING pk),
      ${insertPart(2, this.#stored.embedding.id)}
      SELECT FROM stored`;
    await this.#database.transaction(async (query) => {
      const { count } = await this.#write(query, rows, () => query(insert, [pk, ...toPartParameters(position, rows)]));
      if (count === 0) throw new NamespaceGoneError();
    });
  }

  /** Writes rows into the namespace if it still exists and has the same vectors. All statements are sent together. */
  async #write<Result>(query: Query, { languages }: PartRows, write: () => Promise<Result>): Promise<Result> {
    const [, , result] = await Promise.all([
      lockNamespace(query, this.#namespace, this.#stored),
      recordLanguages(query, this.#stored, languages),
      write(),
    ]);
    return result;
  }

  /** Whether this upload stored the content, without knowing it because the connection was lost. */
  async #isOurs(query: Query): Promise<boolean> {
    const { count } = await query("SELECT FROM documents WHERE upload = $1 AND namespace_id = $2 AND hash = $3", [
      this.#id,
      this.#stored.id,
      this.#document.hash,
    ]);
    return count > 0;
  }

  async #toRows(part: DocumentPart): Promise<PartRows> {
    const { vectorType } = await this.#database.install();
    return toPartRows(part, { namespaceId: this.#stored.id, vectorType });
  }

  #toDocumentValues(terms: number, isWhole: boolean): unknown[] {
    const { hash, ingestedAt, chunkCount, others = { others: [] }, ...document } = this.#document;
    const source = toSource(document);
    const keys = listKeys(this.#stored.id, source, others.others);
    const json = [JSON.stringify(source), JSON.stringify(others)];
    return [this.#stored.id, hash, this.#id, isWhole, chunkCount, terms, ingestedAt, ...json, keys];
  }
}

const insertDocument = `
  INSERT INTO documents
    (namespace_id, hash, upload, is_whole, chunks, term_count, ingested_at, source_json, others_json, keys)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10::uuid[])`;
