import { isDeepStrictEqual } from "node:util";
import type { SearchFilter } from "@agent-backends/contract";
import { analyze, detectLanguage, getContentTerms } from "@agent-backends/language";
import type { ChangeRecord } from "../../store/change-log.ts";
import type {
  DocumentCursor,
  DocumentHeader,
  DocumentSource,
  Embedding,
  ExportedDocument,
  FoundChunk,
  NewChunk,
  NewDocument,
  ReadDocument,
  StoredDocument,
} from "../../store/document.ts";
import { DocumentGoneError, EmbeddingMismatchError } from "../../store/errors.ts";
import type {
  ChangedDocument,
  DocumentConditions,
  DocumentPage,
  KnowledgeStore,
  KnownSources,
  NamespaceSummary,
  Question,
  RankedChunk,
  Rankings,
  Reembedder,
  SearchScope,
} from "../../store/knowledge-store.ts";

const embeddingBatchSize = 64;

interface StoredContent {
  header: Pick<DocumentHeader, "id" | "hash" | "ingestedAt">;
  /** The first one is shown. */
  sources: DocumentSource[];
  hasMore?: true | undefined;
  text: string;
  chunks: NewChunk[];
}

interface Namespace {
  embedding: Embedding;
  /** By hash. */
  contents: Map<string, StoredContent>;
  /** Vectors of a model that the namespace does not search yet. */
  next: Embedding & { vectors: Map<NewChunk, Float32Array> };
  /** Of the change feed. */
  records: ChangeRecord[];
}

/** What all stores see that are opened on it, as processes see the same folder. */
export type StoreMemory = Map<string, Namespace>;

/** A knowledge store in memory, written from the interfaces alone. It shows that they assume nothing about an engine. */
export class MemoryStore implements KnowledgeStore {
  readonly #namespaces: StoreMemory;

  constructor(memory: StoreMemory) {
    this.#namespaces = memory;
  }

  async check(): Promise<void> {}
  async close(): Promise<void> {}

  async add(namespace: string, document: NewDocument): Promise<boolean> {
    const { id, hash, ingestedAt, embeddingModel: model, chunkCount: _, parts, others, ...source } = document;
    const sources = [source, ...(others?.others ?? [])];
    const hasMore = others?.hasMore;
    const content: StoredContent = { header: { id, hash, ingestedAt }, sources, hasMore, text: "", chunks: [] };
    let embedding: Embedding = { model, dimension: 0 };
    for await (const part of parts()) {
      embedding = { model, dimension: part.chunks[0]?.vector.length ?? 0 };
      this.#requireSame(namespace, embedding);
      content.text += part.text;
      // A part is valid only until the next one is requested.
      for (const chunk of part.chunks) content.chunks.push({ ...chunk, vector: chunk.vector.slice() });
    }
    this.#requireSame(namespace, embedding);
    const empty = (): Namespace => ({
      embedding,
      contents: new Map(),
      next: { ...embedding, vectors: new Map() },
      records: [],
    });
    const { contents } = this.#namespaces.get(namespace) ?? empty();
    if (contents.has(hash)) return false;
    contents.set(hash, content);
    if (!this.#namespaces.has(namespace)) this.#namespaces.set(namespace, { ...empty(), contents });
    return true;
  }

  async listDocuments(namespace: string, { limit, after, where = {} }: DocumentPage) {
    const isLater = ({ header }: StoredContent) => after === undefined || compare(header, after) > 0;
    const isListed = (content: StoredContent) => isLater(content) && meets(content, where);
    return this.#contents(namespace).filter(isListed).slice(0, limit).map(toStored);
  }

  async readChunks(namespace: string, id: string, { from, limit }: { from: number; limit: number }) {
    const content = this.#find(namespace, id);
    return content?.chunks.slice(from, from + limit).map((chunk) => toFound(content, chunk));
  }

  async readDocument(namespace: string, id: string): Promise<ReadDocument | undefined> {
    const content = this.#find(namespace, id);
    if (!content) return undefined;
    const isStored = () => this.#find(namespace, id) === content;
    async function* pieces() {
      if (!isStored()) throw new DocumentGoneError();
      yield content?.text ?? "";
    }
    return { ...toStored(content), pieces: pieces() };
  }

  async *exportDocuments(namespace: string, embedding: Embedding): AsyncGenerator<ExportedDocument, void, undefined> {
    for (const content of this.#contents(namespace)) {
      this.#requireSame(namespace, embedding);
      const isStored = () => this.#find(namespace, content.header.id) === content;
      async function* parts() {
        if (!isStored()) throw new DocumentGoneError();
        yield content;
      }
      const { hasMore } = content;
      const others = { others: content.sources.slice(1), ...(hasMore && { hasMore }) };
      if (isStored()) yield { ...toStored(content), others, parts: parts() };
    }
  }

  async deleteDocument(namespace: string, id: string): Promise<boolean> {
    const content = this.#find(namespace, id);
    return content !== undefined && (this.#namespaces.get(namespace)?.contents.delete(content.header.hash) ?? false);
  }

  async deleteDocuments(namespace: string, hashes: readonly string[]): Promise<number> {
    return hashes.filter((hash) => this.#namespaces.get(namespace)?.contents.delete(hash)).length;
  }

  async getSources(namespace: string, hash: string): Promise<KnownSources | undefined> {
    const content = this.#namespaces.get(namespace)?.contents.get(hash);
    return content && { sources: content.sources.map(({ source }) => source), hasMore: content.hasMore ?? false };
  }

  async addSource(namespace: string, hash: string, added: DocumentSource): Promise<boolean> {
    const content = this.#namespaces.get(namespace)?.contents.get(hash);
    if (content?.sources.some(({ source }) => source === added.source) === false) content.sources.push(added);
    return content !== undefined;
  }

  async removeSource(namespace: string, id: string, removed: string): Promise<boolean> {
    const content = this.#find(namespace, id);
    if (!content) return false;
    const left = content.sources.filter(({ source }) => source !== removed);
    if (left.length === 0) return this.deleteDocument(namespace, id);
    content.sources = left;
    return false;
  }

  async changeSource(
    namespace: string,
    id: string,
    change: (current: DocumentSource) => DocumentSource,
    source?: string,
  ): Promise<ChangedDocument | undefined> {
    const content = this.#find(namespace, id);
    const position = content?.sources.findIndex((one) => source === undefined || one.source === source) ?? -1;
    const current = content?.sources[position];
    if (!content || !current) return undefined;
    const changed = change(current);
    content.sources[position] = changed;
    return { document: toStored(content), isChanged: !isDeepStrictEqual(changed, current) };
  }

  async findBySource(namespace: string, source: string): Promise<StoredDocument[]> {
    const hasSource = ({ sources }: StoredContent) => sources.some((one) => one.source === source);
    return this.#contents(namespace).filter(hasSource).map(toStored);
  }

  async search<Chosen extends RankedChunk>(
    namespace: string,
    { words = "", vectorOf }: Question,
    { limit, filter = {} }: SearchScope,
    choose: (rankings: Rankings) => Chosen[],
  ) {
    const embedding = await this.getEmbedding(namespace);
    if (!embedding) return [];
    const vector = await vectorOf?.(embedding);
    if (vector) this.#requireSame(namespace, { model: embedding.model, dimension: vector.length });
    const found = this.#contents(namespace)
      .filter((content) => passes(content, filter))
      .flatMap((content) =>
        content.chunks.map((chunk) => ({ content, chunk, key: `${content.header.id} ${chunk.index}` })),
      );
    const byMeaning = vector ? found.map(({ key, chunk }) => ({ key, similarity: cosine(vector, chunk.vector) })) : [];
    const byWords = await Promise.all(
      found.map(async ({ key, chunk }) => {
        const language = detectLanguage(chunk.searchText);
        const languages = language ? [language] : [];
        const terms = new Set(analyze(chunk.searchText, languages));
        return { key, shared: [...getContentTerms(words, languages)].filter((term) => terms.has(term)).length };
      }),
    );
    const chosen = choose({
      embedding,
      ordinarySimilarity: 0,
      byMeaning: byMeaning.sort((one, other) => other.similarity - one.similarity).slice(0, limit),
      byWords: byWords
        .filter(({ shared }) => shared > 0)
        .sort((one, other) => other.shared - one.shared)
        .slice(0, limit),
    });
    return chosen.flatMap((one) => {
      const hit = found.find(({ key }) => key === one.key);
      return hit ? [{ chosen: one, chunk: toFound(hit.content, hit.chunk) }] : [];
    });
  }

  async listNamespaces(): Promise<string[]> {
    return [...this.#namespaces.keys()].sort();
  }

  async describeNamespace(namespace: string): Promise<NamespaceSummary | undefined> {
    const found = this.#namespaces.get(namespace);
    if (!found) return undefined;
    const chunks = this.#contents(namespace).reduce((sum, content) => sum + content.chunks.length, 0);
    return { namespace, documents: found.contents.size, chunks, embeddingModel: found.embedding.model };
  }

  async getEmbedding(namespace: string): Promise<Embedding | undefined> {
    return this.#namespaces.get(namespace)?.embedding;
  }

  async reembed(namespace: string, { model, dimension, embed, onProgress }: Reembedder): Promise<boolean> {
    const found = this.#namespaces.get(namespace);
    if (!found) return false;
    if (found.embedding.model === model && found.embedding.dimension === dimension) return true;
    if (found.next.model !== model || found.next.dimension !== dimension)
      found.next = { model, dimension, vectors: new Map() };
    const { vectors } = found.next;
    for (;;) {
      const all = this.#contents(namespace).flatMap(({ chunks }) => chunks);
      const batch = all.filter((chunk) => !vectors.has(chunk)).slice(0, embeddingBatchSize);
      onProgress?.(vectors.size, all.length);
      if (batch.length === 0) break;
      const made = await embed(batch.map(({ searchText }) => searchText));
      for (const [position, chunk] of batch.entries()) vectors.set(chunk, made[position] ?? new Float32Array());
    }
    for (const [chunk, vector] of vectors) chunk.vector = vector;
    found.embedding = { model, dimension };
    return true;
  }

  async getVersion(namespace: string): Promise<string | undefined> {
    return this.#namespaces.has(namespace) ? JSON.stringify(this.#contents(namespace).map(toStored)) : undefined;
  }

  async mapDocuments<Result>(namespace: string, map: (document: StoredDocument) => Result): Promise<Result[]> {
    return this.#contents(namespace).map((content) => map(toStored(content)));
  }

  async readRecords(namespace: string, { from, limit }: { from: number; limit: number }): Promise<ChangeRecord[]> {
    const records = this.#namespaces.get(namespace)?.records ?? [];
    const found = records.filter(({ number }) => number >= from);
    return found.sort((one, other) => one.number - other.number).slice(0, limit);
  }

  async appendRecord(namespace: string, record: ChangeRecord): Promise<boolean> {
    const records = this.#namespaces.get(namespace)?.records ?? [];
    if (records.some(({ number }) => number === record.number)) return false;
    records.push(record);
    return true;
  }

  async removeRecords(namespace: string, before: number): Promise<void> {
    const found = this.#namespaces.get(namespace);
    if (found) found.records = found.records.filter(({ number }) => number >= before);
  }

  /** Deleted documents leave nothing in memory. */
  async purge(): Promise<void> {}

  async deleteNamespace(namespace: string): Promise<boolean> {
    return this.#namespaces.delete(namespace);
  }

  #contents(namespace: string): StoredContent[] {
    const contents = this.#namespaces.get(namespace)?.contents.values() ?? [];
    return [...contents].sort((one, other) => compare(one.header, other.header));
  }

  #find(namespace: string, id: string): StoredContent | undefined {
    return this.#contents(namespace).find(({ header }) => header.id === id);
  }

  /** @throws EmbeddingMismatchError */
  #requireSame(namespace: string, given: Embedding): void {
    const stored = this.#namespaces.get(namespace)?.embedding ?? given;
    if (stored.model === given.model && stored.dimension === given.dimension) return;
    throw new EmbeddingMismatchError(namespace, stored, given);
  }
}

function compare(one: DocumentCursor, other: DocumentCursor): number {
  const [first, second] = [`${one.ingestedAt} ${one.id}`, `${other.ingestedAt} ${other.id}`];
  return first < second ? -1 : Number(first > second);
}

function toStored({ header, sources, chunks }: StoredContent): StoredDocument {
  const [shown = { source: "", title: "" }] = sources;
  return { ...header, ...shown, chunks: chunks.length };
}

function toFound(content: StoredContent, { vector: _, ...chunk }: NewChunk): FoundChunk {
  const { chunks: __, ...document } = toStored(content);
  return { ...chunk, document, text: content.text.slice(chunk.start, chunk.end) };
}

function meets(content: StoredContent, conditions: DocumentConditions) {
  const { hashes, source, filter = {}, ingestedAfter, ingestedBefore } = conditions;
  const { hash, ingestedAt } = content.header;
  if (hashes && !hashes.includes(hash)) return false;
  if (source !== undefined && !content.sources.some((one) => one.source === source)) return false;
  if (ingestedAfter !== undefined && ingestedAt <= ingestedAfter) return false;
  return (ingestedBefore === undefined || ingestedAt < ingestedBefore) && passes(content, filter);
}

function passes(content: StoredContent, filter: SearchFilter): boolean {
  const { source, title, contentType, metadata } = toStored(content);
  const fields = { source, title, content_type: contentType };
  return Object.entries(filter).every(([name, wanted]) => {
    const values = typeof wanted === "object" ? wanted : [wanted];
    if (name in fields) return values.map(String).includes(fields[name as keyof typeof fields] ?? "\0");
    const value = metadata?.[name];
    return [value].flat().some((one) => one !== undefined && values.includes(one));
  });
}

function cosine(one: Float32Array, other: Float32Array): number {
  const dot = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, place) => sum + value * (b[place] ?? 0), 0);
  return dot(one, other) / (Math.sqrt(dot(one, one) * dot(other, other)) || 1);
}
