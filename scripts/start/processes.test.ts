import { expect, test } from "vitest";
import { shortenLogLine } from "./processes.ts";

test("an error of a service is one short line in the terminal of npm start, without its stack", () => {
  const cause = { name: "Error", message: "connect ECONNREFUSED", stack: "Error: connect ECONNREFUSED\n    at net.js" };
  const err = {
    name: "ProviderError",
    message: "The provider can't\nbe reached.",
    stack: "ProviderError: …\n    at x.js",
    cause,
  };
  expect(shortenLogLine(JSON.stringify({ level: 40, service: "knowledge", err, msg: "an answer failed" }))).toBe(
    "an answer failed: The provider can't be reached: connect ECONNREFUSED",
  );
});

test("what a line and its error both say is said once", () => {
  const err = { message: "The provider can't be reached.", cause: { message: "connect ECONNREFUSED" } };
  const line = { level: 40, service: "relay", err, msg: "run failed: The provider can't be reached." };
  expect(shortenLogLine(JSON.stringify(line))).toBe("run failed: The provider can't be reached: connect ECONNREFUSED");
});

test.each(['{"level":30,"msg":"a request"}', "{ no JSON", "Error: spoken plainly"])("%s stays as it is", (line) => {
  expect(shortenLogLine(line)).toBe(line);
});
