import type { ServerResponse } from "node:http";
import type { InvalidField } from "@agent-backends/contract";
import { describeIssue, limits, ProblemError, problems } from "@agent-backends/contract";
import type { z } from "zod";
import type { FieldRules, UnknownFields } from "./fields/unknown-fields.ts";
import { findUnknownFields, jsonPointer } from "./fields/unknown-fields.ts";
import { hasBody } from "./json-body.ts";
import type { Logger } from "./logger.ts";
import { ClientGoneError, ShuttingDownError } from "./streams/ended-errors.ts";

/** Converts a thrown value to the problem that a client sees. Unknown errors become `internal`, without their message. */
export function toProblem(error: unknown): ProblemError {
  if (error instanceof ProblemError) return error;
  if (error instanceof ShuttingDownError) return problems.shuttingDown();
  if (error instanceof ClientGoneError) return problems.clientGone(error);
  return problems.internal(error);
}

const warningsByBody = new WeakMap<object, readonly InvalidField[]>();

/**
 * Parses external input. Unknown fields are refused if they stand for known ones. Otherwise they are ignored, and `getWarnings` names them.
 *
 * @throws ProblemError `invalid-input`, naming every offending field by its JSON pointer
 */
export function parseInput<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  rules?: FieldRules,
): z.output<Schema> {
  const parsed = schema.safeParse(value, { error: describeIssue });
  const missing = parsed.error?.issues
    .filter(({ message }) => message === "is missing")
    .map(({ path }) => jsonPointer(path));
  const unknown = findUnknownFields(schema, value, rules, new Set(missing));
  if (!parsed.success || unknown.refused.length > 0) throw invalidInput(parsed.error?.issues ?? [], unknown);
  if (unknown.ignored.length > 0) warningsByBody.set(parsed.data as object, unknown.ignored);
  return parsed.data;
}

/** Adds warnings to a value that `parseInput` returned, for `getWarnings`. */
export function addWarnings(input: object, warnings: readonly InvalidField[]): void {
  if (warnings.length > 0) warningsByBody.set(input, [...(warningsByBody.get(input) ?? []), ...warnings]);
}

/** Warnings for the client about values that `parseInput` returned, such as ignored fields. */
export function getWarnings(...inputs: unknown[]): readonly InvalidField[] {
  let warnings: readonly InvalidField[] = none;
  for (const input of inputs) {
    const found = typeof input === "object" && input !== null ? warningsByBody.get(input) : undefined;
    if (found !== undefined) warnings = [...warnings, ...found];
  }
  return warnings.length > limits.ignoredFieldsNamed ? warnings.slice(0, limits.ignoredFieldsNamed) : warnings;
}

const none: readonly InvalidField[] = [];

/** Logs the fields of values that `parseInput` returned which were ignored. */
export function logIgnored(log: Pick<Logger, "debug">, requestId: string | undefined, ...inputs: unknown[]): void {
  const warnings = getWarnings(...inputs);
  if (warnings.length === 0) return;
  const ignored = warnings.map(({ pointer }) => pointer);
  log.debug({ request_id: requestId, ignored }, "unknown fields were ignored");
}

function invalidInput(issues: readonly z.core.$ZodIssue[], { refused, meant }: UnknownFields): ProblemError {
  const errors = [...refused];
  for (const issue of flattenIssues(issues)) {
    if (errors.length >= limits.invalidFieldsNamed) break;
    const pointer = jsonPointer(issue.path);
    // A missing field whose name is misspelt is already reported.
    if (!meant.includes(pointer)) errors.push({ pointer, detail: issue.message });
  }
  return problems.invalidFields(errors);
}

/** Paths that OpenAI clients request, also below a wrong base URL, such as `//v1`, `/openai/v1` or none. Namespaces may have such names. */
const openAiPath =
  /^\/v1(?:[/?]|$)|^(?!\/api\/namespaces\/)[^?]*\/(?:chat\/completions|completions|embeddings|models|responses)(?:[/?]|$)/i;

/** Whether a request comes from an OpenAI client. Its problems also have the `error` field that OpenAI's SDKs read. */
export const isForOpenAi = (url = ""): boolean => openAiPath.test(url);

/** The problem for a method and URL without a route, in a service without OpenAI's API. */
export const toRouteProblem = (method: string, url: string): ProblemError =>
  isForOpenAi(url) ? problems.openAiElsewhere(method) : problems.noRoute(method);

/** Whether a problem is logged as an error. A busy or stopping service refuses requests by design, and those problems have no cause. */
export const isFailure = ({ status, code, cause }: ProblemError): boolean =>
  status >= 500 && (code !== "unavailable" || cause !== undefined);

/** Responds with a problem. A client that is still sending can read it, even if the connection is closed after the response. */
export function writeProblem(response: ServerResponse, problem: ProblemError): void {
  const error = isForOpenAi(response.req.url) && problem.toOpenAiError();
  const body = JSON.stringify(error ? { ...problem.toJSON(), error } : problem);
  response.writeHead(problem.status, {
    "Content-Type": "application/problem+json; charset=utf-8",
    "Content-Length": Buffer.byteLength(body),
    "Cache-Control": "no-store",
    ...problem.headers,
  });
  const isKeepAlive = response.shouldKeepAlive && problem.headers.Connection !== "close";
  if (isKeepAlive || response.req.complete || !hasBody(response.req.headers)) response.end(body);
  else {
    response.write(body);
    endAfterBody(response);
  }
}

/** Sent refusals that end when the rest of their request has arrived. */
const lingering = new WeakSet<ServerResponse>();

/** Ends a refusal whose request turns out to be malformed. Returns false for any other response. */
export function endLingering(response: ServerResponse): boolean {
  const isLingering = lingering.has(response);
  if (isLingering) response.end();
  return isLingering;
}

/** Reads and drops the body first: closing a connection with unread bytes resets it, and the client may lose the response. */
function endAfterBody(response: ServerResponse): void {
  lingering.add(response);
  const timer = setTimeout(() => response.end(), limits.refusedBodyMs).unref();
  response.once("close", () => clearTimeout(timer));
  response.req.once("end", () => response.end()).resume();
}

// A failed union reports one issue that contains the issues of each branch. The caller most likely meant the branch that got furthest, so
// its fields are named. This is a generator because only the first issues are needed.
function* flattenIssues(
  issues: readonly z.core.$ZodIssue[],
  path: readonly PropertyKey[] = [],
): Generator<z.core.$ZodIssue, void, undefined> {
  for (const inner of issues) {
    const issue = { ...inner, path: [...path, ...inner.path] };
    // The reason why a field name is refused is nested one level deeper.
    if (issue.code === "invalid_key") yield* issue.issues.map(({ message }) => ({ ...issue, message }));
    else if (issue.code !== "invalid_union") yield issue;
    else {
      const meant = issue.errors.reduce<z.core.$ZodIssue[]>(
        (deepest, branch) => (getDepth(branch) > getDepth(deepest) ? branch : deepest),
        [],
      );
      if (meant.length === 0) yield issue;
      else yield* flattenIssues(meant, issue.path);
    }
  }
}

function getDepth(issues: readonly z.core.$ZodIssue[]): number {
  return issues.reduce((depth, { path }) => Math.max(depth, path.length), 0);
}
