import { expect, test, vi } from "vitest";
import { itemsOfText } from "../uploads/pasted.ts";
import { highlight } from "./highlight.ts";
import { PendingDeletions } from "./pending-deletions.ts";

const matches = (text: string, query: string) =>
  highlight(text, query)
    .filter(({ isMatch }) => isMatch)
    .map((piece) => piece.text);

test("words of the query are found in other forms, cases and accents; short ones only by themselves", () => {
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

test("what is pasted is addresses where every line is one, else one text", () => {
  expect(itemsOfText(" https://a.example/x \n\nhttp://b.example").map(({ name }) => name)).toEqual([
    ...["https://a.example/x", "http://b.example"],
  ]);
  expect(itemsOfText("See https://a.example")).toMatchObject([
    { source: { type: "text", title: "See https://a.example" } },
  ]);
  expect(itemsOfText("# Notes\n\ntext")).toMatchObject([{ source: { type: "markdown", title: "Notes" } }]);
  expect(itemsOfText("text", "Title")).toMatchObject([{ source: { title: "Title" } }]);
  expect(itemsOfText(" \n ")).toEqual([]);
});

test("a deletion is carried out once: after its time, or when the page is left; not when it was undone", () => {
  vi.useFakeTimers();
  const pending = new PendingDeletions();
  const carriedOut: string[] = [];
  for (const id of ["late", "undone", "left"]) pending.add(id, () => carriedOut.push(id), id === "late" ? 10 : 1_000);
  pending.undo("undone");
  vi.advanceTimersByTime(10);
  expect(carriedOut).toEqual(["late"]);
  pending.flush();
  vi.advanceTimersByTime(5_000);
  expect(carriedOut).toEqual(["late", "left"]);
  vi.useRealTimers();
});
