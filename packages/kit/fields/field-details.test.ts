import { describeIssue, knowledgeRunQuerySchema, listingRunQuerySchema, ProblemError } from "@agent-backends/contract";
import type { Operation } from "@agent-backends/contract/openapi";
import {
  agUiRunOperations,
  knowledgeOperations,
  listingOperations,
  relayOperations,
} from "@agent-backends/contract/openapi";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { parseInput } from "../problem.ts";

const operations: Record<string, Operation> = {
  ...relayOperations(true),
  ...listingOperations,
  ...agUiRunOperations(listingRunQuerySchema),
  ...knowledgeOperations,
  ...agUiRunOperations(knowledgeRunQuerySchema),
};

const wrong: unknown[] = [
  ...[
    null,
    true,
    -1,
    0,
    1.5,
    1e300,
    "",
    " ",
    "other",
    "x".repeat(10_000_000),
    "http://",
    "2026-99-99",
    "é".repeat(200),
  ],
  ...[[], [1], [{}], ["a"], Array(2_000).fill("a"), Array(2_000).fill({}), {}, { type: "other" }, { role: "other" }],
  { a: { b: 1 } },
  Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`field ${index}`, index])),
];

/** A value with each of its parts, at any depth, replaced by each wrong one. */
function* replaceParts(value: unknown): Generator<unknown, void, undefined> {
  yield* wrong;
  if (typeof value !== "object" || value === null) return;
  for (const [name, part] of Object.entries(value)) {
    for (const other of replaceParts(part)) {
      yield Array.isArray(value) ? value.with(Number(name), other) : { ...value, [name]: other };
    }
  }
}

function findDetails(schema: z.ZodType, value: unknown): string[] {
  try {
    parseInput(schema, value);
  } catch (error) {
    if (error instanceof ProblemError) return (error.errors ?? []).map(({ detail }) => detail);
    throw error;
  }
  return [];
}

const { localeError } = z.config();
beforeAll(() => void z.config({ localeError: () => "zod's own text" }));
afterAll(() => void z.config({ localeError }));

test.each(Object.keys(operations))("what is wrong with a request to %s is said in the service's own words", (route) => {
  const { body, query, parameters } = operations[route] as Operation;
  const details = new Set<string>();
  const collect = (schema: z.ZodType, valid: unknown) => {
    for (const value of replaceParts(valid)) for (const detail of findDetails(schema, value)) details.add(detail);
  };
  for (const example of Object.values(body?.examples ?? {})) if (body) collect(body.schema, example);
  for (const schema of [query, parameters]) {
    if (schema instanceof z.ZodObject)
      collect(schema, Object.fromEntries(Object.keys(schema.shape).map((name) => [name, "1"])));
  }
  expect([...details].filter((detail) => /zod|expected|undefined/.test(detail))).toEqual([]);
});

test.each([
  [z.string().max(3), "four", "must have at most 3 characters"],
  [z.string().min(1), "", "must have at least 1 character"],
  [z.string().length(2), "abc", "must have exactly 2 characters"],
  [z.array(z.string()).max(1), ["a", "b"], "must have at most 1 element"],
  [z.array(z.string()).min(2), ["a"], "must have at least 2 elements"],
  [z.number().max(3), 4, "must be at most 3"],
  [z.number().min(1), 0, "must be at least 1"],
  [z.number().positive(), 0, "must be more than 0"],
  [z.int(), 1.5, "must be a whole number"],
  [z.enum(["a", "b"]), "c", "must be one of a, b"],
  [z.literal("a"), "c", "must be a"],
  [
    z.discriminatedUnion("type", [z.object({ type: z.literal("a") }), z.object({ type: z.literal("b") })]),
    { type: "c" },
    "must be one of a, b",
  ],
  [z.discriminatedUnion("type", [z.object({ type: z.literal("a") })]), {}, "is missing"],
  [z.discriminatedUnion("type", [z.object({ type: z.literal("a") })]), "a", "must be a JSON object"],
  [z.strictObject({}), { a: 1 }, "has unknown fields: a"],
  [z.string().regex(/^a$/), "b", "must match /^a$/"],
  [z.number().multipleOf(2), 3, "must be a multiple of 2"],
] as const)("a value of a schema is told what is wrong with it: %#", (schema, value, detail) => {
  const { error } = (schema as z.ZodType).safeParse(value, { error: describeIssue });
  expect(error?.issues.map(({ message }) => message)).toEqual([detail]);
});
