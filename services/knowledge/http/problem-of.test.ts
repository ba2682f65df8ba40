import { expect, it } from "vitest";
import { problemOf } from "./problem-of.ts";

it.each([
  // By Node, of a file that is uploaded.
  Object.assign(new Error("ENOSPC: no space left on device, write"), { code: "ENOSPC" }),
  // By PostgreSQL.
  Object.assign(new Error('could not extend file "base/5/16391"'), { code: "53100" }),
  // By the engine of a folder.
  new Error("lance error: LanceError(IO): Generic LocalFileSystem error: No space left on device (os error 28)"),
])("a full disk is a 503 that says what helps, and no failure of the service: %s", (error) => {
  const { status, message, headers } = problemOf(error);
  expect([status, message, headers?.["Retry-After"]]).toEqual([
    503,
    "The service's disk is full; try again once its operator has made room.",
    undefined,
  ]);
});
