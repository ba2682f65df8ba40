import { namespaceNameSchema } from "@agent-backends/contract";
import { expect, test, vi } from "vitest";
import { formatBytes, withReadableSizes } from "../design/format.ts";
import { findNameProblem } from "../documents/namespaces.ts";
import { describeLeftOut, maxFilesPerDrop, readChosenFiles } from "../uploads/dropped-files.ts";
import { parsePastedText } from "./AddItems.tsx";
import { highlight } from "./SearchDocuments.tsx";
import { PendingDeletions } from "./use-documents.ts";

const matches = (text: string, query: string) =>
  highlight(text, query)
    .filter(({ isMatch }) => isMatch)
    .map((piece) => piece.text);

test("marks query words in other forms, cases and accents; short words only if there are no longer ones", () => {
  expect(matches("Refunds are paid. A refund.", "the refund")).toEqual(["Refunds", "refund"]);
  expect(matches("In Zürich at nine", "zurich")).toEqual(["Zürich"]);
  expect(matches("It is an ox", "an ox")).toEqual(["an", "ox"]);
  const text = "Any text, cut and put together";
  expect(
    highlight(text, "cut")
      .map((piece) => piece.text)
      .join(""),
  ).toBe(text);
});

test("pasted lines are addresses if all of them are, else one text", () => {
  expect(parsePastedText(" https://a.example/x \n\nhttp://b.example").map(({ name }) => name)).toEqual([
    ...["https://a.example/x", "http://b.example"],
  ]);
  expect(parsePastedText("See https://a.example")).toMatchObject([
    { source: { type: "text", title: "See https://a.example" } },
  ]);
  expect(parsePastedText("# Notes\n\ntext")).toMatchObject([{ source: { type: "markdown", title: "Notes" } }]);
  expect(parsePastedText("text", "Title")).toMatchObject([{ source: { title: "Title" } }]);
  expect(parsePastedText(" \n ")).toEqual([]);
});

test("a deletion runs once: after its delay or when the page is left, and never after an undo", () => {
  vi.useFakeTimers();
  const pending = new PendingDeletions();
  const carriedOut: string[] = [];
  for (const id of ["late", "undone", "left"]) pending.add(id, () => carriedOut.push(id), id === "late" ? 10 : 1_000);
  pending.cancel("undone");
  vi.advanceTimersByTime(10);
  expect(carriedOut).toEqual(["late"]);
  pending.flush();
  vi.advanceTimersByTime(5_000);
  expect(carriedOut).toEqual(["late", "left"]);
  vi.useRealTimers();
});

test("sizes have readable units, also in the service's messages", () => {
  expect([0, 999, 15_400, 3_400_000, 2_000_000_000].map(formatBytes)).toEqual([
    ...["0 bytes", "999 bytes", "15.4 kB", "3.4 MB", "2 GB"],
  ]);
  expect(withReadableSizes("The file is larger than the limit of 52428800 bytes.")).toBe(
    "The file is larger than the limit of 52.4 MB.",
  );
});

test("a folder with thousands of files is cut, with a message about what was left out", () => {
  const fileAt = (path: string) => Object.assign(new File([], path), { webkitRelativePath: path });
  const paths = ["a/Thumbs.db", "a/.env", ...Array.from({ length: maxFilesPerDrop + 1 }, (_, n) => `a/${n}.txt`)];
  const found = readChosenFiles(paths.map(fileAt));
  expect(found.files).toHaveLength(maxFilesPerDrop);
  expect(found.files[0]?.path).toBe("a/0.txt");
  expect(describeLeftOut(found)).toBe(
    "2 hidden or system files left out. Only the first 2,000 files were taken. Add the others in smaller folders.",
  );
  expect(describeLeftOut(readChosenFiles([fileAt("a/b.txt")]))).toBeUndefined();
});

test.for(["shop", "客户 1", "x".repeat(128), "👍".repeat(128), "", " ", ".", "..", "a\tb", "x".repeat(129), "\ud800"])(
  "the namespace name %j is valid or invalid as in the service",
  (name) => {
    expect(findNameProblem(name) === undefined).toBe(namespaceNameSchema.safeParse(name).success);
  },
);
