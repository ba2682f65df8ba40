import { expect, test } from "vitest";
import type { z } from "zod";
import {
  generateRequestSchema,
  ingestRequestSchema,
  limits,
  listingAgentRequest,
  runInputSchema,
  searchRequestSchema,
} from "./index.ts";

const long = "x".repeat(limits.messageCharacters + 1);
const fits = "x".repeat(limits.messageCharacters);
const run = (content: unknown, tools: unknown[] = []) => ({
  threadId: "t",
  runId: "r",
  messages: [{ id: "m", role: "user", content }],
  tools,
});
const chat = (content: unknown) => ({ messages: [{ role: "user", content }] });
const halves = (text: string) => [text.slice(0, 10), text.slice(10)].map((part) => ({ type: "text", text: part }));

function findIssues(schema: z.ZodType, value: unknown): [string, string][] {
  const { error } = schema.safeParse(value);
  return (error?.issues ?? []).map(({ path, message }) => [path.join("."), message]);
}

test.each([
  ["the relay", runInputSchema, run],
  ["the librarian", generateRequestSchema, chat],
  ["the analyst", listingAgentRequest, chat],
] as const)(
  "%s takes a message of the longest length, in one text or in parts, and no longer one",
  (_who, schema, of) => {
    expect(findIssues(schema, of(fits))).toEqual([]);
    expect(findIssues(schema, of(halves(fits.slice(1))))).toEqual([]);
    for (const content of [long, halves(long)]) {
      expect(findIssues(schema, of(content))).toEqual([
        ["messages.0.content", expect.stringContaining("8000000 characters")],
      ]);
    }
  },
);

test("a run offers no more tools, and none that says more of itself, than the limits", () => {
  const tool = { name: "t", description: "d" };
  const paths = (tools: unknown[]) => findIssues(runInputSchema, run("Hello", tools)).map(([path]) => path);
  expect(paths(Array(limits.toolsPerRequest).fill(tool))).toEqual([]);
  expect(paths(Array(limits.toolsPerRequest + 1).fill(tool))).toEqual(["tools"]);
  expect(paths([{ ...tool, name: "n".repeat(limits.toolNameCharacters + 1) }])).toEqual(["tools.0.name"]);
  const description = "d".repeat(limits.toolDescriptionCharacters + 1);
  expect(paths([{ ...tool, description }])).toEqual(["tools.0.description"]);
});

test.each([
  ["parts of a message", generateRequestSchema, (many: object) => chat(Object.values(many)), "messages.0.content"],
  ["fields of metadata", ingestRequestSchema, (metadata: object) => ({ metadata }), "metadata"],
  ["fields of a filter", searchRequestSchema, (filter: object) => ({ query: "q", filter }), "filter"],
])("many invalid %s give one issue, so that validation stays fast", (_what, schema, of, path) => {
  const many = Object.fromEntries(Array.from({ length: 1_000 }, (_, index) => [`field${index}`, {}]));
  expect(findIssues(schema, of(many)).map(([where]) => where)).toEqual([path]);
});
