import type { z } from "zod";
import type { ProblemCode } from "../problem-error.ts";

/** Method and path, with parameters in braces: `GET /api/jobs/{id}`. */
export type Route = `${"GET" | "POST" | "PUT" | "PATCH" | "DELETE"} /${string}`;

/** The routes of a service, which registers them from this table. The service doesn't start while a route has no handler. */
export type Operations = Readonly<Record<Route, Operation>>;

/** The headings of a document. */
export const tags = {
  Agent: "The streaming route, whose public address a chat platform is given.",
  Answers: "The librarian answers questions from the documents.",
  "AG-UI": "The same for clients that speak AG-UI.",
  OpenAI: "The same for clients that speak OpenAI's interface.",
  Ingest: "What is stored, and where it comes from.",
  Search: "Chunks of documents, without a model's answer.",
  Jobs: "Ingests that continue after their response.",
  Documents: "What is stored, by namespace.",
  Tools: "What the agent calls, as JSON.",
  Runs: "Runs that can be resumed and stopped.",
  MCP: "The Model Context Protocol.",
  Service: "The service itself.",
} as const;

/**
 * What a route requires of a request, and how the OpenAPI document describes it. Common errors, headers and limits follow from these
 * fields.
 */
export interface Operation {
  /** Unique in the document. Generated clients use it as the function name. */
  id: string;
  /** The heading that lists the operation. */
  tag: keyof typeof tags;
  summary: string;
  /** Markdown. */
  description?: string;
  /** The scope that a key needs. `key`: any valid key. `open`: no key, but origin and host are checked. `probe`: no checks. */
  access: "ask" | "read" | "write" | "key" | "open" | "probe";
  /** The kind of slot that a request occupies while it runs. */
  takes?: "stream" | "ingest" | "search" | "document";
  parameters?: z.ZodObject;
  query?: z.ZodType;
  /** Request headers, by name. */
  headers?: Readonly<Record<string, string>>;
  body?: {
    schema: z.ZodType;
    /** The same body as a form. */
    form?: z.ZodType;
    isOptional?: boolean;
    /** Examples by name. Tests send each of them to the route. */
    examples: Readonly<Record<string, object>>;
  };
  /** The schema of each line, for a body of newline-delimited JSON. */
  lines?: z.ZodType;
  /** Responses other than problems, by status. */
  answers: Readonly<Record<number, Answer>>;
  /** Invalid bodies are answered in another format than problems, as described in `answers`. */
  hasOwnBodyErrors?: true;
  /** Problems in addition to those that follow from access, parameters and body. */
  problems?: readonly ProblemCode[];
}

/** A response other than a problem. Without `json`, `stream` and `text` it has no body. */
export interface Answer {
  description: string;
  headers?: readonly HeaderName[];
  json?: z.ZodType;
  /** Events: one per line as `ndjson`, or one per frame as `sse`. `end` is sent after the last event of an event stream. */
  stream?: { event: z.ZodType; formats: readonly ("ndjson" | "sse")[]; end?: string };
  /** The media type of any other body. */
  text?: string;
}

export const responseHeaders = {
  "X-Request-Id": "The request's id in the log: the one that was sent, or a new one.",
  "Retry-After": "Seconds to wait before the request is repeated.",
  "WWW-Authenticate": "How to send a key (RFC 6750).",
  Location: "The address of what was created, or is there already.",
  ETag: "Changes with the content.",
  "Mcp-Session-Id":
    "With the answer to `initialize`. A client sends it with its further requests, and can then cancel its calls.",
  "RateLimit-Policy":
    "The token budgets of the key (draft-ietf-httpapi-ratelimit-headers). Only with a key that has budgets.",
  RateLimit: "What is left of them.",
  "X-LLM-Provider": "Host and model of the provider that answers. Only with `LLM_FALLBACKS`.",
} as const;

export type HeaderName = keyof typeof responseHeaders;

/** Headers of every response that uses the model. */
export const budgetHeaders = ["RateLimit-Policy", "RateLimit"] as const satisfies HeaderName[];
/** Headers of responses for which several providers may be asked. */
export const answerHeaders = [...budgetHeaders, "X-LLM-Provider"] as const satisfies HeaderName[];
