// Generated from packages/contract by `npm run docs:tables`. Change it there.

export type IngestErrorCode =
  | "invalid_item"
  | "duplicate_id"
  | "invalid_url"
  | "forbidden_address"
  | "unreachable"
  | "http_status"
  | "timed_out"
  | "too_large"
  | "unsupported"
  | "no_text"
  | "recognition_failed"
  | "empty"
  | "encrypted"
  | "damaged"
  | "provider_failed"
  | "embedding_model_changed"
  | "not_stored"
  | "cancelled";

export interface Warning {
  pointer: string;
  detail: string;
}

export type CustomMetadata = Record<string, string | number | boolean | Array<string | number | boolean>>;

export type SearchFilter = Record<string, string | number | boolean | Array<string | number | boolean>>;

export interface SearchRequest {
  namespace?: string | undefined;
  namespaces?: string[] | undefined;
  /** A question or words, in any language. */
  query: string;
  /** From 1 to 50. Default: 6. */
  max_results?: number | undefined;
  /** Only documents that have each of these fields with this value, or one of these. */
  filter?: SearchFilter | undefined;
  /** Leaves out results with a lower `similarity`, or none. */
  min_score?: number | undefined;
}

export interface ChunkPlace {
  /** Counts from 0. */
  chunk: number;
  /** Offset in the document's text, in UTF-16 code units. */
  start: number;
  end: number;
  /** Counts from 1. */
  page?: number;
  slide?: number;
  sheet?: string;
  heading?: string;
  table_header?: string;
}

export interface ChunkMetadata extends ChunkPlace {
  source: string;
  document_id: string;
  ingested_at: string;
  url?: string;
  filename?: string;
  content_type?: string;
  [name: string]: string | number | boolean | Array<string | number | boolean> | undefined;
}

export interface SearchResponse {
  /** The first one of a request that names several. */
  namespace: string;
  namespaces?: string[];
  query: string;
  results: Array<{
    title: string;
    content: string;
    hash: string;
    /** From 0 to 1, higher is better. Orders the results of one query and does not compare queries. */
    score: number;
    /** How much nearer in meaning the chunk is than an ordinary one of its namespace; absent when its words alone were found. */
    similarity?: number;
    /** Other places of the same text. */
    also_in?: Array<{
      title: string;
      /** Counts from 0. */
      chunk: number;
      /** Offset in the document's text, in UTF-16 code units. */
      start: number;
      end: number;
      source: string;
      document_id: string;
    }>;
    /** Of a request that names several namespaces. */
    namespace?: string;
    metadata: ChunkMetadata;
  }>;
  warnings?: Warning[];
}

export interface ConversationMessage {
  role: "user" | "assistant" | "system" | "tool" | "developer" | "function";
  content?: string | Array<string | { type: string; text?: string | undefined }> | undefined;
}

export interface GenerateRequest {
  /** The conversation. The last message is the question. */
  messages: ConversationMessage[];
  namespace?: string | undefined;
  namespaces?: string[] | undefined;
  /** As in a search. */
  filter?: SearchFilter | undefined;
}

export interface Citation {
  /** The number of its marks in the answer: `[n]`. */
  n: number;
  title: string;
  source: string;
  hash: string;
  document_id: string;
  /** Of a request that names several namespaces. */
  namespace?: string;
  page?: number;
  heading?: string;
  sheet?: string;
  slide?: number;
  url?: string;
  /** Exactly `text.slice(start, end)` of the document. */
  quote: string;
  /** Offset in the document's text, in UTF-16 code units. */
  start: number;
  end: number;
  /** The sentence or table row that shares the most words with the statement before the mark. */
  supporting?: { start: number; end: number };
}

export interface GenerateResponse {
  content: string;
  /** The first one of a request that names several. */
  namespace: string;
  namespaces?: string[];
  citations: Citation[];
  /** Why the provider cut the answer short, if it did. */
  finish_reason?: "length" | "content_filter";
  warnings?: Warning[];
}

export type StreamFields = GenerateRequest;

export type ReplyEvent =
  | { type: "text_start"; message_id: string; thread_id: string; run_id: string }
  | { type: "text_delta"; content: string; message_id: string; thread_id: string; run_id: string }
  | { type: "text_end"; message_id: string; thread_id: string; run_id: string }
  | { type: "done"; thread_id: string; run_id: string }
  | { type: "error"; message: string; message_id: string; thread_id: string; run_id: string };

export type ToolEvent =
  | {
      type: "tool_call_start";
      tool_name: string;
      tool_call_id: string;
      message_id: string;
      thread_id: string;
      run_id: string;
    }
  | {
      type: "tool_call_args";
      args: unknown;
      tool_call_id: string;
      message_id: string;
      thread_id: string;
      run_id: string;
    }
  | {
      type: "tool_call_end";
      tool_call_id: string;
      message_id: string;
      thread_id: string;
      run_id: string;
    }
  | {
      type: "tool_result";
      tool_name: string;
      result: unknown;
      tool_call_id: string;
      message_id: string;
      thread_id: string;
      run_id: string;
    }
  | {
      type: "citations";
      citations: Citation[];
      /** Why the provider cut the answer short, if it did. */
      finish_reason?: "length" | "content_filter";
      message_id: string;
      thread_id: string;
      run_id: string;
    };

export interface Source {
  type: "text" | "markdown" | "url";
  /** The text, or the address. */
  value: string;
  /** Names a text, so that a later one with the same `id` can replace it. */
  id?: string | undefined;
  /** Default: the document's own title. */
  title?: string | undefined;
  /** Your own fields. Searches can filter by them. */
  metadata?: CustomMetadata | undefined;
}

export interface IngestFields {
  namespace?: string | undefined;
  /** Whether documents of the same source with other content stay, the default, or are replaced. */
  on_conflict?: "keep" | "replace" | undefined;
  /** Fields of every item of the request. An item's own fields win. */
  metadata?: CustomMetadata | undefined;
}

export interface IngestResponse {
  namespace: string;
  saved: Array<{
    title: string;
    hash: string;
    source: string;
    namespace: string;
    document_id: string;
    chunks: number;
    /** With `on_conflict: "replace"`: how many documents that had this source alone were replaced. */
    replaced?: number;
    /** What of the file was not read: scanned pages of a PDF. */
    warning?: string;
  }>;
  skipped: Array<{
    title: string;
    hash: string;
    source: string;
    reason: "duplicate-content" | "not-modified";
    updated?: true;
    /** With `on_conflict: "replace"`: how many documents that had this source alone were deleted, since the namespace has its new content already. Absent: none. */
    replaced?: number;
  }>;
  errors: Array<{ source: string; title?: string; error: string; code: string }>;
  warnings?: Warning[];
}

export interface SitemapRequest {
  url: string;
}

export interface SitemapResponse {
  url: string;
  pages: Array<{ url: string; lastmod?: string }>;
  skipped: number;
  truncated: boolean;
  errors: Array<{ url: string; error: string; code: string }>;
  warnings?: Warning[];
}

export interface JobAccepted {
  job_id: string;
  namespace: string;
  status: "queued";
  items: number;
  warnings?: Warning[];
}

export type JobItem =
  | { stage: "waiting" | "fetching" | "extracting" | "chunking" | "storing"; source: string }
  | { stage: "embedding"; progress: { done: number; total: number }; source: string }
  | {
      stage: "saved";
      source: string;
      title: string;
      hash: string;
      namespace: string;
      document_id: string;
      chunks: number;
      /** With `on_conflict: "replace"`: how many documents that had this source alone were replaced. */
      replaced?: number;
      /** What of the file was not read: scanned pages of a PDF. */
      warning?: string;
    }
  | {
      stage: "skipped";
      source: string;
      title: string;
      hash: string;
      reason: "duplicate-content" | "not-modified";
      updated?: true;
      /** With `on_conflict: "replace"`: how many documents that had this source alone were deleted, since the namespace has its new content already. Absent: none. */
      replaced?: number;
    }
  | { stage: "error"; source: string; error: string; code: string };

export interface Job {
  job_id: string;
  namespace: string;
  status: "queued" | "running" | "done" | "failed" | "cancelled";
  items: JobItem[];
  saved: number;
  skipped: number;
  errors: number;
  created_at: string;
  finished_at?: string;
}

export interface JobSummary {
  job_id: string;
  namespace: string;
  status: "queued" | "running" | "done" | "failed" | "cancelled";
  items: number;
  saved: number;
  skipped: number;
  errors: number;
  created_at: string;
  finished_at?: string;
}

export type JobEvent =
  | (JobItem) & { type: "item"; job_id: string; item: number }
  | Job & { type: "job" };

export interface JobsQuery {
  limit?: number | undefined;
  cursor?: string | undefined;
  status?: "queued" | "running" | "done" | "failed" | "cancelled" | undefined;
}

export interface JobsResponse {
  jobs: JobSummary[];
  next_cursor: string | null;
  warnings?: Warning[];
}

export interface NamespacesQuery {
  limit?: number | undefined;
  cursor?: string | undefined;
}

export interface NamespacesResponse {
  namespaces: Array<{ namespace: string; documents: number; chunks: number; embedding_model: string }>;
  next_cursor: string | null;
  warnings?: Warning[];
}

export interface DocumentsQuery {
  limit?: number | undefined;
  cursor?: string | undefined;
  source?: string | undefined;
  filter?: SearchFilter | undefined;
  ingested_after?: string | undefined;
  ingested_before?: string | undefined;
}

export interface DocumentMetadata {
  url?: string;
  filename?: string;
  content_type?: string;
  [name: string]: string | number | boolean | Array<string | number | boolean> | undefined;
}

export interface DocumentSummary {
  /** The first 32 digits of the hash. */
  document_id: string;
  title: string;
  /** Where it came from, such as `file:guide.pdf` or `url:https://example.com/`. */
  source: string;
  /** SHA-256 of the document's text, in hex. */
  hash: string;
  /** The number of its chunks. */
  chunks: number;
  ingested_at: string;
}

export interface DocumentsResponse {
  documents: DocumentSummary[];
  /** The `cursor` of the next page, or null at the end. */
  next_cursor: string | null;
  warnings?: Warning[];
}

export interface ChangedDocumentResponse extends DocumentSummary {
  namespace: string;
  metadata: DocumentMetadata;
}

export interface ChangesQuery {
  /** The cursor at the end of the last response. Without it all documents are `added`. */
  since?: string | undefined;
  /** Seconds for which the response stays open and sends further changes as they happen. */
  wait?: number | undefined;
}

export type ChangeEvent =
  | DocumentSummary & { type: "added"; metadata: DocumentMetadata }
  | DocumentSummary & { type: "changed"; metadata: DocumentMetadata }
  | { type: "deleted"; document_id: string }
  | { type: "cursor"; cursor: string }
  | { type: "error"; message: string };

export interface DocumentResponse extends ChangedDocumentResponse {
  text: string;
}

export interface ChunksResponse {
  chunks: Array<ChunkPlace & { content: string }>;
  next_cursor: string | null;
  warnings?: Warning[];
}

export interface DocumentChange {
  title?: string | undefined;
  metadata?: CustomMetadata | undefined;
}

export interface DeleteDocumentsQuery {
  limit?: number | undefined;
  source?: string | undefined;
  filter?: SearchFilter | undefined;
  ingested_after?: string | undefined;
  ingested_before?: string | undefined;
  purge?: boolean | undefined;
}

export interface DeleteDocumentsResponse {
  deleted: number;
  /** Documents that lost the source but stay, because another source has them. */
  kept: number;
  next_cursor: string | null;
  warnings?: Warning[];
}

export interface ImportResponse {
  namespace: string;
  saved: number;
  skipped: number;
  chunks: number;
  embedded: number;
  warnings?: Warning[];
}
