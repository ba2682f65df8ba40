import { z } from "zod";
import { chatCompletionErrorSchema } from "../knowledge/index.ts";
import type { ProblemCode } from "../problem-error.ts";
import { problemTypes } from "../problem-error.ts";
import { problems } from "../problems.ts";
import type { JsonSchema } from "./json-schemas.ts";
import type { HeaderName, Operation } from "./operation.ts";

/** The body of every `application/problem+json` response (RFC 9457). */
export const problemSchema = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string().describe("One sentence that names the offending value, the rule and the fix."),
  errors: z
    .array(z.object({ pointer: z.string().describe("A JSON pointer into the body (RFC 6901)."), detail: z.string() }))
    .optional(),
  error: chatCompletionErrorSchema.shape.error
    .optional()
    .describe("Below `/v1/`: the same as OpenAI's clients read it."),
});

const cause = new Error("");

const examples: Record<ProblemCode, object> = {
  "not-json": problems.notJson(cause),
  "no-message": problems.emptyMessages(),
  "bad-request": problems.missingHost(),
  unauthorized: problems.missingCredentials(),
  forbidden: problems.missingScope("write"),
  "not-found": problems.noDocument("9a2…", "default"),
  "method-not-allowed": problems.methodNotAllowed("PUT", ["GET", "HEAD"]),
  "not-acceptable": problems.unreadable(cause, 406),
  "too-slow": problems.requestTimeout(),
  conflict: problems.runExists("run-1", "/agent/runs/run-1"),
  gone: problems.runLost(new Error("The run's events could not all be stored.")),
  "too-large": problems.bodyTooLarge(10_485_760),
  "unsupported-media-type": problems.jsonRequired(),
  "invalid-input": problems.invalidFields([{ pointer: "/query", detail: "is missing" }]),
  "too-many-requests": problems.keyRateExceeded(60, 12),
  "headers-too-large": problems.headersTooLarge(),
  internal: problems.internal(cause),
  "provider-failed": problems.providerFailed("The model provider rejected the API key.", cause),
  unavailable: problems.shuttingDown(),
};

const headerByProblem: Partial<Record<ProblemCode, HeaderName>> = {
  unauthorized: "WWW-Authenticate",
  "too-many-requests": "Retry-After",
  unavailable: "Retry-After",
};

/** The codes of all problems that a route can return, by status. */
export function findProblems(method: string, operation: Operation): Map<number, ProblemCode[]> {
  const { access, parameters, query, body, lines, problems: own = [] } = operation;
  const isGuarded = !["open", "probe"].includes(access);
  // A DELETE reads a body only to refuse it.
  const readsBody = method === "DELETE" || (body !== undefined && operation.hasOwnBodyErrors !== true);
  const readsLines = lines !== undefined;
  const validates = readsBody || readsLines || parameters !== undefined || query !== undefined;
  const codes = new Set<ProblemCode>([
    "bad-request",
    "too-slow",
    "headers-too-large",
    "internal",
    ...(access === "probe" ? [] : (["forbidden", "too-many-requests", "unavailable"] as const)),
    ...(isGuarded ? (["unauthorized"] as const) : []),
    ...(readsBody ? (["not-json", "too-large", "unsupported-media-type"] as const) : []),
    ...(readsLines ? (["too-large", "unsupported-media-type"] as const) : []),
    ...(validates ? (["invalid-input"] as const) : []),
    ...(parameters === undefined ? [] : (["not-found"] as const)),
    ...own,
  ]);
  const order = Object.keys(problemTypes) as ProblemCode[];
  return Map.groupBy(
    order.filter((code) => codes.has(code)),
    (code) => problemTypes[code].status,
  );
}

/** Describes the response of one status with these problems. */
export function describeProblems(codes: readonly ProblemCode[], isBudgeted: boolean): JsonSchema {
  const headers = codes.flatMap((code) => headerByProblem[code] ?? []);
  const budgets = isBudgeted && codes.includes("too-many-requests") ? ["RateLimit-Policy", "RateLimit"] : [];
  return {
    description: codes
      .map((code) => `\`${code}\`: ${problemTypes[code].when.replace(/\(limits\.md\)/, "(#limits)")}`)
      .join("; "),
    headers: refer("headers", ["X-Request-Id", ...headers, ...budgets]),
    content: {
      "application/problem+json": {
        schema: {
          allOf: [
            { $ref: "#/components/schemas/Problem" },
            { properties: { type: { enum: codes.map((code) => `urn:agent-backends:problem:${code}`) } } },
          ],
        },
        examples: refer("examples", codes),
      },
    },
  };
}

export const problemExamples = (): JsonSchema =>
  Object.fromEntries(
    Object.entries(examples).map(([code, value]) => [
      code,
      { summary: problemTypes[code as ProblemCode].title, value },
    ]),
  );

/** References to components by name. */
export const refer = (kind: "headers" | "examples", names: readonly string[]): JsonSchema =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/${kind}/${name}` }]));
