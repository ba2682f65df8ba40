import { expect, test } from "vitest";
import { CommandError } from "../command.ts";
import { Output } from "../terminal/output.ts";
import type { Plan } from "./plan.ts";
import { Reports } from "./report.ts";

test("rounds of --watch say what is new, and nothing when nothing is", () => {
  let printed = "";
  const stream = { write: (text: string | Uint8Array) => (printed += text) };
  const out = new Output({ isJson: false, environment: {}, stdout: stream, stderr: stream });
  const reports = new Reports({ from: "/docs", prefix: "docs", namespace: "manuals", baseUrl: "http://x" }, out);
  const failure = { name: "bad.pdf", code: "damaged", error: "It is damaged." };
  const round = (names: string[], isDryRun: boolean, elapsedMs = 0) => {
    printed = "";
    const added = names.map((name) => ({ name })) as Plan["added"];
    const plan = { added, replaced: [], renamed: [], deleted: [], stillFailed: [], unreadable: [], unchanged: 0 };
    reports.print(plan, {
      failures: [failure],
      warnings: [],
      excluded: new Set(),
      excludedCounts: "1 empty",
      isDryRun,
      elapsedMs,
    });
    return printed.split("\n").map((line) => line.split(",")[0]);
  };
  const notes = [
    "! bad.pdf: It is damaged. (damaged)",
    "To leave out the files that can't be stored",
    "Left out: 1 empty",
  ];
  expect(round(["a.md"], true)).toEqual(["+ a.md", ...notes, "Would be: 1 added", ""]);
  expect(round(["a.md"], true, 5)).toEqual([""]);
  expect(round(["a.md", "b.md"], true)).toEqual(["+ b.md", "Would be: 2 added", ""]);
  // What was stored is news, even if the round before stored a file of the same name.
  expect(round(["a.md"], false)).toEqual(["+ a.md", "1 added", ""]);
  expect(round(["a.md"], false)).toEqual(["+ a.md", "1 added", ""]);
  expect(round([], false)).toEqual([""]);
  const fail = () => {
    printed = "";
    reports.printFailure(new CommandError("The service is away."));
    return printed;
  };
  expect(fail()).toBe("agents: The service is away.\n");
  expect(fail()).toBe("");
  expect(round([], false)).toEqual([...notes, "0 added", ""]);
});

test("every file that can't be stored is named for --exclude, and what was not read of a stored one", () => {
  let printed = "";
  const stream = { write: (text: string | Uint8Array) => (printed += text) };
  const out = new Output({ isJson: false, environment: {}, stdout: stream, stderr: stream });
  const plan = { added: [], replaced: [], renamed: [], deleted: [], stillFailed: [], unreadable: [], unchanged: 0 };
  const failures = [
    { name: "Scan_Rechnung.pdf", code: "no_text", error: "It is a scan." },
    { name: "busy.md", code: "provider_failed", error: "Try again." },
    { name: "alt/Liste.xls", code: "unsupported", error: "It is old." },
  ];
  new Reports({ from: "/docs", prefix: "docs", namespace: "shop", baseUrl: "http://x" }, out).print(plan, {
    ...{ warnings: [{ name: "gemischt.pdf", warning: "No text was found on 1 of 2 pages (2)." }] },
    ...{ failures, excluded: new Set<string>(), excludedCounts: "", isDryRun: false, elapsedMs: 0 },
  });
  expect(printed).toContain("add: --exclude 'Scan_Rechnung.pdf' --exclude 'alt/Liste.xls'\n");
  expect(printed).toContain("! gemischt.pdf: No text was found on 1 of 2 pages (2).\n");
});
