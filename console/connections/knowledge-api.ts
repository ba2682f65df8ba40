import type {
  DocumentResponse,
  DocumentsResponse,
  Job,
  NamespacesResponse,
  SearchResponse,
} from "@agent-backends/contract";
import type { Connection } from "./connections.ts";
import { buildKeyHeaders } from "./connections.ts";
import { jsonBody, requestJson } from "./request.ts";

const documentsPageSize = 50;
const maxSearchResults = 10;
/** Maximum number of namespaces that are listed. Others are reached by typing their name. */
export const maxListedNamespaces = 100;

export type NamespaceSummary = NamespacesResponse["namespaces"][number];
export type DocumentSummary = DocumentsResponse["documents"][number];

function get<Body>(connection: Connection, path: string, signal: AbortSignal) {
  return requestJson<Body>(connection.baseUrl + path, { headers: buildKeyHeaders(connection), signal });
}

function post<Body>(connection: Connection, path: string, body: object, signal?: AbortSignal) {
  const init = jsonBody(body, buildKeyHeaders(connection));
  return requestJson<Body>(connection.baseUrl + path, { ...init, ...(signal && { signal }) });
}

/** Succeeds if it is already gone. */
function remove(connection: Connection, path: string, options: RequestInit = {}) {
  const init = { method: "DELETE", headers: buildKeyHeaders(connection), ...options };
  return requestJson<void>(connection.baseUrl + path, init, [404]);
}

const namespacePath = (namespace: string) => `/api/namespaces/${encodeURIComponent(namespace)}`;
const documentPath = (namespace: string, id: string) =>
  `${namespacePath(namespace)}/documents/${encodeURIComponent(id)}`;
const jobPath = (id: string) => `/api/jobs/${encodeURIComponent(id)}`;

/** The namespaces that hold documents. */
export async function listNamespaces(connection: Connection, signal: AbortSignal) {
  const path = `/api/namespaces?limit=${maxListedNamespaces}`;
  return (await get<NamespacesResponse>(connection, path, signal)).namespaces;
}

/** Deletes a namespace with all its documents. */
export const deleteNamespace = (connection: Connection, namespace: string) =>
  remove(connection, namespacePath(namespace));

/** One page of a namespace's documents. */
export function listDocuments(connection: Connection, namespace: string, signal: AbortSignal, cursor?: string) {
  const query = new URLSearchParams({ limit: String(documentsPageSize), ...(cursor && { cursor }) });
  return get<DocumentsResponse>(connection, `${namespacePath(namespace)}/documents?${query}`, signal);
}

export const readDocument = (connection: Connection, namespace: string, id: string, signal: AbortSignal) =>
  get<DocumentResponse>(connection, documentPath(namespace, id), signal);

/** `keepalive` lets the request finish while the page is being left. */
export const deleteDocument = (connection: Connection, namespace: string, id: string) =>
  remove(connection, documentPath(namespace, id), { keepalive: true });

export const searchDocuments = (connection: Connection, namespace: string, query: string, signal: AbortSignal) =>
  post<SearchResponse>(
    connection,
    "/api/tools/searchDocs",
    { namespace, query, max_results: maxSearchResults },
    signal,
  );

/** Where sources and files are sent. */
export const buildIngestUrl = ({ baseUrl }: Connection): string => `${baseUrl}/api/tools/ingest`;

export const ingest = (connection: Connection, namespace: string, sources: readonly object[]) =>
  post<unknown>(connection, "/api/tools/ingest", { namespace, sources });

export const buildJobEventsUrl = ({ baseUrl }: Connection, id: string): string => `${baseUrl}${jobPath(id)}/events`;

/** Asks for a job to be cancelled. Its events tell which items were. */
export const cancelJob = (connection: Connection, id: string) =>
  requestJson<Job>(connection.baseUrl + jobPath(id), { method: "DELETE", headers: buildKeyHeaders(connection) });
