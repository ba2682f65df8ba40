import { createServer } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { ProblemError, problems } from "@agent-backends/contract";
import { listenOnLoopback } from "@agent-backends/testing/fixtures";
import { expect, onTestFinished, test } from "vitest";
import { z } from "zod";
import { parseInput, toProblem, writeProblem } from "./problem.ts";

const part = z.object({ type: z.literal("text"), text: z.string() });
const schema = z.object({
  messages: z.array(z.object({ content: z.union([z.string(), z.array(part)]) })),
  "a/b": z.number(),
});

function problemFor(value: unknown) {
  try {
    parseInput(schema, value);
  } catch (error) {
    if (error instanceof ProblemError) return error.toJSON();
  }
  return undefined;
}

test("invalid input names every offending field by its JSON pointer", () => {
  expect(problemFor({ messages: [{}, { content: "x" }], "a/b": "1" })).toMatchObject({
    type: "urn:agent-backends:problem:invalid-input",
    status: 422,
    errors: [{ pointer: "/messages/0/content" }, { pointer: "/a~1b" }],
  });
});

test("in a union the fields of the branch that was meant are named", () => {
  const problem = problemFor({ messages: [{ content: [{ type: "text" }] }], "a/b": 1 });
  expect(problem?.errors?.map(({ pointer }) => pointer)).toEqual(["/messages/0/content/0/text"]);
});

test("a body with hundreds of wrong fields names the first twenty", () => {
  const problem = problemFor({ messages: Array.from({ length: 300 }, () => ({})), "a/b": 1 });
  expect(problem?.errors).toHaveLength(20);
});

test("of a hundred thousand wrong parts the first twenty are named", () => {
  const problem = problemFor({ messages: [{ content: Array(100_000).fill(1) }], "a/b": 1 });
  expect(problem?.errors?.map(({ pointer }) => pointer).slice(0, 2)).toEqual([
    "/messages/0/content/0",
    "/messages/0/content/1",
  ]);
  expect(problem?.errors).toHaveLength(20);
});

test("a name of megabytes is cut in the pointer that names it", () => {
  const named = z.record(z.string().max(3), z.number());
  expect.assertions(1);
  try {
    parseInput(named, { ["~".repeat(1_000_000)]: 1 });
  } catch (error) {
    expect(JSON.stringify(error).length).toBeLessThan(2_000);
  }
});

test("what an unexpected error says never reaches a client", () => {
  expect(JSON.stringify(toProblem(new Error("password=hunter2 at /srv/app.js:3")))).not.toMatch(/hunter2|srv/);
});

test("a client that sends all of a refused body before it reads gets the answer, also when the connection ends with it", async () => {
  const server = createServer((_request, response) => writeProblem(response, problems.jsonRequired()));
  const { port, hostname } = new URL(await listenOnLoopback(server, onTestFinished));
  const socket = connect(Number(port), hostname);
  const head = "POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 20000000\r\n\r\n";
  await new Promise((resolve) => socket.write(head + "x".repeat(20_000_000), resolve));
  expect(await text(socket)).toMatch(/^HTTP\/1\.1 415 .*unsupported-media-type/s);
});

test("a wrong type is described in plain words where the schema has none", () => {
  expect(problemFor([])?.errors).toEqual([{ pointer: "", detail: "must be a JSON object" }]);
  expect(problemFor({ messages: [{}], "a/b": "1" })?.errors).toEqual([
    { pointer: "/messages/0/content", detail: "is missing" },
    { pointer: "/a~1b", detail: "must be a number" },
  ]);
});
