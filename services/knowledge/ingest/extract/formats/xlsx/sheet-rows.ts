import { formatDate } from "./cell-date.ts";
import { attribute, scanXml } from "./scan-xml.ts";
import type { Workbook } from "./workbook.ts";
import { decodeEscapes } from "./workbook.ts";

/** Cells left empty between two others are kept, so that columns stay columns; but not more than this. */
const maxEmptyCells = 100;

interface Cell {
  type: string;
  style: number;
  text: string;
}

/** The rows of a worksheet as they are shown, but for numbers, which keep all their digits; rows without text are left out. */
export function* rowsOf(xml: string, workbook: Workbook): Generator<string[], void, undefined> {
  let row: string[] = [];
  let cell: Cell | undefined;
  let isValue = false;
  for (const token of scanXml(xml)) {
    if (token.type === "text") {
      if (isValue && cell !== undefined) cell.text += token.text;
      continue;
    }
    const opens = token.type === "open";
    if (token.name === "row" && opens) row = [];
    else if (token.name === "row" && row.some((text) => text.trim() !== "")) yield row;
    else if (token.name === "c" && token.type === "open") {
      const { attributes } = token;
      const column = columnOf(attribute(attributes, "r")) ?? row.length;
      const empty = Math.min(column - row.length, maxEmptyCells);
      for (let count = 0; count < empty; count++) row.push("");
      cell = { type: attribute(attributes, "t") ?? "n", style: Number(attribute(attributes, "s") ?? 0), text: "" };
    } else if (token.name === "c") {
      if (cell !== undefined) row.push(shown(cell, workbook));
      cell = undefined;
    } else if (token.name === "v" || token.name === "t") isValue = opens;
    // A formula is not shown, nor is how words are read aloud.
    else if (token.name === "f" || token.name === "rPh") isValue = false;
  }
}

function shown({ type, style, text }: Cell, workbook: Workbook): string {
  switch (type) {
    case "s":
      return workbook.sharedStrings[Number(text)] ?? "";
    case "b":
      return text.trim() === "1" ? "TRUE" : "FALSE";
    case "n": {
      const number = Number(text);
      if (text.trim() === "" || !Number.isFinite(number)) return text.trim();
      const kind = workbook.dateKinds[style];
      // 0.1 may be stored as 0.10000000000000001.
      return (kind && formatDate(number, kind, workbook.dateSystem)) ?? String(number);
    }
    case "d":
      return text.trim().replace(/T00:00:00(\.0+)?Z?$/, "");
    default:
      return decodeEscapes(text);
  }
}

/** 0-based column of a reference such as "AB12". */
function columnOf(reference: string | undefined): number | undefined {
  const letters = /^[A-Z]{1,3}/.exec(reference ?? "")?.[0];
  if (letters === undefined) return undefined;
  return [...letters].reduce((number, letter) => number * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}
