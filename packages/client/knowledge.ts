import { RunError, TruncatedStreamError } from "./errors.ts";
import type { ExportCounts } from "./export-file.ts";
import { checkExport } from "./export-file.ts";
import type * as wire from "./generated/knowledge.ts";
import type { ClientOptions, HttpRequest, RequestOptions, StreamOptions } from "./http-client.ts";
import { createId, HttpClient } from "./http-client.ts";
import type { Readiness } from "./readiness.ts";
import type { UploadProgress } from "./upload.ts";
import { sendBody } from "./upload.ts";

/** A file to ingest: a `File` of a browser or of Node.js's `openAsBlob`, or a name with its content. */
export type UploadFile = File | { name: string; content: Blob | Uint8Array<ArrayBuffer> | ArrayBuffer | string };

export interface IngestRequest extends wire.IngestFields {
  /** A bare string is a URL if it starts with http:// or https://, otherwise a text. */
  sources?: readonly (string | wire.Source)[] | undefined;
  /** The name may have folders: `guide/README.md`. */
  files?: readonly UploadFile[] | undefined;
}

export interface ExportOptions extends RequestOptions {
  /** Called when the whole file has been read. */
  onEnd?: ((counts: ExportCounts) => void) | undefined;
}

export interface ImportOptions extends IngestOptions {
  /** Whether chunks are embedded again if the namespace has another model than the file. */
  reembed?: boolean | undefined;
}

export interface IngestOptions extends RequestOptions {
  /** Called while files are being sent. */
  onProgress?: ((progress: UploadProgress) => void) | undefined;
}

export interface StreamRequest extends wire.StreamFields {
  /** Generated if missing. */
  thread_id?: string | undefined;
  run_id?: string | undefined;
}

export type DeletionOptions = RequestOptions & {
  /** Waits until the deleted text is off the disk. */
  purge?: boolean | undefined;
};

export interface ChangesOptions extends StreamOptions {
  /** Waits for further changes until `signal` aborts. */
  follow?: boolean | undefined;
}

type Page = { next_cursor: string | null };

const agentStream = {
  isLast: ({ type }: wire.ReplyEvent | wire.ToolEvent) => type === "done",
  toError: (event: wire.ReplyEvent | wire.ToolEvent) =>
    event.type === "error" ? new RunError(event.message) : undefined,
};

const namespacePath = (namespace: string) => `/api/namespaces/${encodeURIComponent(namespace)}`;
const documentPath = (namespace: string, id: string) =>
  `${namespacePath(namespace)}/documents/${encodeURIComponent(id)}`;
const jobPath = (id: string) => `/api/jobs/${encodeURIComponent(id)}`;
const get = (path: string, query: object = {}): HttpRequest => ({
  method: "GET",
  path,
  query: { ...query },
  isRepeatable: true,
});

/** How long one request for a followed change feed stays open, in seconds. */
const followSeconds = 60;

/** Client for the knowledge service. Methods that return lists of unknown length are iterators over all pages. */
export class KnowledgeClient {
  readonly #http: HttpClient;
  readonly #fetch: typeof globalThis.fetch | undefined;

  constructor(options: ClientOptions) {
    this.#http = new HttpClient(options);
    this.#fetch = options.fetch;
  }

  /** Streams an answer. With `include_tool_events` the stream also contains tool calls and citations. */
  stream(
    request: StreamRequest & { include_tool_events: true },
    options?: StreamOptions,
  ): AsyncGenerator<wire.ReplyEvent | wire.ToolEvent, void, undefined>;
  stream(
    request: StreamRequest & { include_tool_events?: false | undefined },
    options?: StreamOptions,
  ): AsyncGenerator<wire.ReplyEvent, void, undefined>;
  stream(
    request: StreamRequest & { include_tool_events?: boolean | undefined },
    options?: StreamOptions,
  ): AsyncGenerator<wire.ReplyEvent | wire.ToolEvent, void, undefined> {
    const body = { ...request, thread_id: request.thread_id ?? createId(), run_id: request.run_id ?? createId() };
    return this.#http.events({ method: "POST", path: "/stream", body }, agentStream, options);
  }

  /** Returns one complete answer with its citations. */
  generate(request: wire.GenerateRequest, options?: RequestOptions): Promise<wire.GenerateResponse> {
    return this.#http.json({ method: "POST", path: "/api/agents/knowledge/generate", body: request }, options);
  }

  search(request: wire.SearchRequest, options?: RequestOptions): Promise<wire.SearchResponse> {
    const path = "/api/tools/searchDocs";
    return this.#http.json({ method: "POST", path, body: request, isRepeatable: true }, options);
  }

  /** Ingests sources and files, and waits until they are stored. A failed item is listed in `errors`, and the call still succeeds. */
  ingest(request: IngestRequest, options: IngestOptions = {}): Promise<wire.IngestResponse> {
    return this.#http.json(this.#toIngest(request, {}, options), options);
  }

  /** Ingests in the background. Resolves once everything is sent. */
  startIngest(request: IngestRequest, options: IngestOptions = {}): Promise<wire.JobAccepted> {
    return this.#http.json(this.#toIngest(request, { async: true }, options), options);
  }

  #toIngest(
    { sources = [], files = [], ...fields }: IngestRequest,
    query: object,
    { onProgress }: IngestOptions,
  ): HttpRequest {
    const request: HttpRequest = {
      method: "POST",
      path: "/api/tools/ingest",
      query: { ...query },
      headers: { Accept: "application/json" },
      // The status if all items have failed.
      accept: [400],
    };
    if (files.length === 0) return { ...request, body: { ...fields, sources } };
    const form = new FormData();
    for (const [name, value] of Object.entries({ ...fields, ...(sources.length > 0 && { sources }) })) {
      if (value !== undefined) form.append(name, typeof value === "string" ? value : JSON.stringify(value));
    }
    for (const file of files) {
      const content = "content" in file ? file.content : file;
      form.append("files", content instanceof Blob ? content : new Blob([content]), file.name);
    }
    return { ...request, send: sendBody(form, this.#fetch, onProgress) };
  }

  /** Lists the pages of a sitemap, to send as sources. Nothing is stored. */
  readSitemap(request: wire.SitemapRequest, options?: RequestOptions): Promise<wire.SitemapResponse> {
    const path = "/api/tools/readSitemap";
    return this.#http.json({ method: "POST", path, body: request, isRepeatable: true }, options);
  }

  getJob(id: string, options?: RequestOptions): Promise<wire.Job> {
    return this.#http.json(get(jobPath(id)), options);
  }

  /**
   * Follows a job to its end. The last event contains the whole job. After a lost connection the events start again with the current stage
   * of each item.
   */
  followJob(id: string, options?: StreamOptions): AsyncGenerator<wire.JobEvent, void, undefined> {
    const request = get(`${jobPath(id)}/events`);
    return this.#http.events(
      request,
      { isLast: ({ type }: wire.JobEvent) => type === "job", reconnect: () => request },
      options,
    );
  }

  /** Your jobs, newest first. */
  jobs(query: wire.JobsQuery = {}, options?: RequestOptions): AsyncGenerator<wire.JobSummary, void, undefined> {
    return this.#items<wire.JobsResponse, wire.JobSummary>("/api/jobs", query, (page) => page.jobs, options);
  }

  /** Cancels a job. Items that are already stored stay. */
  cancelJob(id: string, options?: RequestOptions): Promise<wire.Job> {
    return this.#http.json({ method: "DELETE", path: jobPath(id), isRepeatable: true }, options);
  }

  /** Iterates over the namespaces that hold documents. */
  namespaces(query: wire.NamespacesQuery = {}, options?: RequestOptions) {
    return this.#items<wire.NamespacesResponse, wire.NamespacesResponse["namespaces"][number]>(
      "/api/namespaces",
      query,
      (page) => page.namespaces,
      options,
    );
  }

  /** One page of `namespaces`. The next page starts at its `next_cursor`. */
  namespacesPage(query: wire.NamespacesQuery = {}, options?: RequestOptions) {
    return this.#http.json<wire.NamespacesResponse>(get("/api/namespaces", query), options);
  }

  /** Iterates over the documents of a namespace, oldest first. */
  documents(namespace: string, query: wire.DocumentsQuery = {}, options?: RequestOptions) {
    return this.#items<wire.DocumentsResponse, wire.DocumentSummary>(
      `${namespacePath(namespace)}/documents`,
      query,
      (page) => page.documents,
      options,
    );
  }

  /** One page of `documents`. The next page starts at its `next_cursor`. */
  documentsPage(namespace: string, query: wire.DocumentsQuery = {}, options?: RequestOptions) {
    return this.#http.json<wire.DocumentsResponse>(get(`${namespacePath(namespace)}/documents`, query), options);
  }

  getDocument(namespace: string, id: string, options?: RequestOptions): Promise<wire.DocumentResponse> {
    return this.#http.json(get(documentPath(namespace, id)), options);
  }

  /** Iterates over the chunks of a document, in document order. */
  chunks(namespace: string, id: string, query: { limit?: number; cursor?: string } = {}, options?: RequestOptions) {
    return this.#items<wire.ChunksResponse, wire.ChunksResponse["chunks"][number]>(
      `${documentPath(namespace, id)}/chunks`,
      query,
      (page) => page.chunks,
      options,
    );
  }

  /** Changes a document's title or custom metadata. */
  updateDocument(
    namespace: string,
    id: string,
    change: wire.DocumentChange,
    options?: RequestOptions,
  ): Promise<wire.ChangedDocumentResponse> {
    return this.#http.json(
      { method: "PATCH", path: documentPath(namespace, id), body: change, isRepeatable: true },
      options,
    );
  }

  /** @returns false if there is no such document */
  deleteDocument(namespace: string, id: string, { purge, ...options }: DeletionOptions = {}): Promise<boolean> {
    return this.#http.delete(documentPath(namespace, id), { purge }, options);
  }

  /** Deletes all documents that match the conditions. At least one condition is required. */
  async deleteDocuments(
    namespace: string,
    conditions: wire.DeleteDocumentsQuery,
    options?: RequestOptions,
  ): Promise<{ deleted: number; kept: number }> {
    const sum = { deleted: 0, kept: 0 };
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const page: wire.DeleteDocumentsResponse = await this.#http.json(
        { method: "DELETE", path: `${namespacePath(namespace)}/documents`, query: { ...conditions, cursor } },
        options,
      );
      sum.deleted += page.deleted;
      sum.kept += page.kept;
      cursor = page.next_cursor;
    }
    return sum;
  }

  /** @returns false if there is no such namespace */
  deleteNamespace(namespace: string, { purge, ...options }: DeletionOptions = {}): Promise<boolean> {
    return this.#http.delete(namespacePath(namespace), { purge }, options);
  }

  /**
   * Streams what was added, changed or deleted since a cursor, or all documents without one. Save the cursor of each `cursor` event: it
   * covers everything before it. After a lost connection, events since the last cursor are repeated.
   *
   * @throws ProblemError with the code `gone` when the cursor is too old: start again without one
   */
  async *changes(
    namespace: string,
    { since, wait }: wire.ChangesQuery = {},
    { follow, ...options }: ChangesOptions = {},
  ): AsyncGenerator<wire.ChangeEvent, void, undefined> {
    let cursor = since;
    let isAtCursor = false;
    const request = () =>
      get(`${namespacePath(namespace)}/changes`, { since: cursor, wait: follow ? followSeconds : wait });
    const format = {
      toError: (event: wire.ChangeEvent) => (event.type === "error" ? new RunError(event.message) : undefined),
      reconnect: () => (follow || !isAtCursor ? request() : undefined),
    };
    try {
      for await (const event of this.#http.events<wire.ChangeEvent>(request(), format, options)) {
        isAtCursor = event.type === "cursor";
        if (event.type === "cursor") cursor = event.cursor;
        yield event;
      }
    } catch (error) {
      if (!(error instanceof TruncatedStreamError && isAtCursor)) throw error;
    }
  }

  /** Exports the namespace with its vectors as one file. Reading fails if the file is incomplete. */
  async exportNamespace(
    namespace: string,
    { onEnd, ...options }: ExportOptions = {},
  ): Promise<ReadableStream<Uint8Array>> {
    const { body } = await this.#http.open(get(`${namespacePath(namespace)}/export`), options);
    if (!body) throw new TruncatedStreamError();
    return body.pipeThrough(checkExport(onEnd));
  }

  /** Imports an exported file. Imports can be repeated: documents that the namespace already has are skipped. */
  importNamespace(
    namespace: string,
    file: Blob,
    { reembed, onProgress, ...options }: ImportOptions = {},
  ): Promise<wire.ImportResponse> {
    const request: HttpRequest = {
      method: "POST",
      path: `${namespacePath(namespace)}/import`,
      query: { reembed },
      headers: { "Content-Type": "application/x-ndjson" },
      send: sendBody(file, this.#fetch, onProgress),
    };
    return this.#http.json(request, options);
  }

  health(options?: RequestOptions): Promise<{ status: "ok" }> {
    return this.#http.json(get("/health"), options);
  }

  /** @throws ProblemError with status 503 while the service can't do its work */
  ready(options?: RequestOptions): Promise<Readiness> {
    return this.#http.json(get("/ready"), { maxAttempts: 1, ...options });
  }

  async *#items<Response extends Page, Item>(
    path: string,
    query: { cursor?: string | undefined },
    getItems: (page: Response) => Item[],
    options?: RequestOptions,
  ): AsyncGenerator<Item, void, undefined> {
    for (let cursor: string | null | undefined = query.cursor; cursor !== null; ) {
      const page: Response = await this.#http.json(get(path, { ...query, cursor }), options);
      yield* getItems(page);
      cursor = page.next_cursor;
    }
  }
}
