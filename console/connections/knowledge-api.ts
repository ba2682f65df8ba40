import type {
  DocumentResponse,
  DocumentsResponse,
  Job,
  NamespacesResponse,
  SearchResponse,
} from "@agent-backends/contract";
import type { Connection } from "./connections.ts";
import { keyHeadersOf } from "./connections.ts";
import { jsonBody, requestJson } from "./request.ts";

const pageSize = 50;
/** Namespaces that are listed; others are reached by typing their name. */
export const maxNamespacesShown = 100;

const documentsUrl = (connection: Connection, namespace: string, id?: string) =>
  `${connection.baseUrl}/api/namespaces/${encodeURIComponent(namespace)}/documents${id === undefined ? "" : `/${encodeURIComponent(id)}`}`;

/** The namespaces that hold documents. */
export async function listNamespaces(connection: Connection, signal: AbortSignal) {
  const url = `${connection.baseUrl}/api/namespaces?limit=${maxNamespacesShown}`;
  return (await requestJson<NamespacesResponse>(url, { headers: keyHeadersOf(connection), signal })).namespaces;
}

/** One page of a namespace's documents, from a cursor on. */
export function listDocuments(connection: Connection, namespace: string, signal: AbortSignal, cursor?: string) {
  const query = new URLSearchParams({ limit: String(pageSize), ...(cursor && { cursor }) });
  const url = `${documentsUrl(connection, namespace)}?${query}`;
  return requestJson<DocumentsResponse>(url, { headers: keyHeadersOf(connection), signal });
}

export function readDocument(connection: Connection, namespace: string, id: string, signal: AbortSignal) {
  const url = documentsUrl(connection, namespace, id);
  return requestJson<DocumentResponse>(url, { headers: keyHeadersOf(connection), signal });
}

/** Removes a document. The request goes out even when the page is just being left. */
export function deleteDocument(connection: Connection, namespace: string, id: string) {
  const init = { method: "DELETE", headers: keyHeadersOf(connection), keepalive: true };
  return requestJson<void>(documentsUrl(connection, namespace, id), init, [404]);
}

/** Removes a namespace with all its documents. One that is not there any more is removed as well. */
export function deleteNamespace(connection: Connection, namespace: string) {
  const url = `${connection.baseUrl}/api/namespaces/${encodeURIComponent(namespace)}`;
  return requestJson<void>(url, { method: "DELETE", headers: keyHeadersOf(connection) }, [404]);
}

export function searchDocuments(connection: Connection, namespace: string, query: string, signal: AbortSignal) {
  const body = jsonBody({ namespace, query, max_results: 10 }, keyHeadersOf(connection));
  return requestJson<SearchResponse>(`${connection.baseUrl}/api/tools/searchDocs`, { ...body, signal });
}

/** Asks for a job to be given up. What became of its items is told by its events. */
export function cancelJob(connection: Connection, id: string) {
  const url = `${connection.baseUrl}/api/jobs/${encodeURIComponent(id)}`;
  return requestJson<Job>(url, { method: "DELETE", headers: keyHeadersOf(connection) });
}

/** Where sources and files are sent to. */
export const ingestUrl = ({ baseUrl }: Connection): string => `${baseUrl}/api/tools/ingest`;
