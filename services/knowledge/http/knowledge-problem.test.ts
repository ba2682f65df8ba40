import { expect, it } from "vitest";
import { toKnowledgeProblem } from "./knowledge-problem.ts";

it.each([
  // By Node, of a file that is uploaded.
  Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" }),
  // By PostgreSQL.
  Object.assign(new Error('could not extend file "base/5/16391"'), { code: "53100" }),
  // By the engine of a folder.
  new Error("lance error: LanceError(IO): Generic LocalFileSystem error: No space left on device (os error 28)"),
])("a full disk is a 503 that says what helps, and no failure of the service: %s", (error) => {
  const { status, message, headers } = toKnowledgeProblem(error);
  expect([status, message, headers?.["Retry-After"]]).toEqual([
    503,
    "The service's disk is full; try again once its operator has freed space.",
    undefined,
  ]);
});

it.each([
  Object.assign(new Error("EACCES: permission denied, mkdir '/data/knowledge'"), { code: "EACCES" }),
  Object.assign(new Error("cannot execute INSERT in a read-only transaction"), { code: "25006" }),
  new Error("lance error: LanceError(IO): Generic LocalFileSystem error: Permission denied (os error 13)"),
])("a store that may only be read is a 503 that says so: %s", (error) => {
  const { status, message } = toKnowledgeProblem(error);
  expect([status, message]).toEqual([503, "The service may not write to its store; its operator has to allow that."]);
});
