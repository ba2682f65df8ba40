import { getAttribute, scanXml } from "../scan-xml.ts";
import { padToColumn, trimRow } from "../tables.ts";
import { MergedCells, parseReference } from "./merged-cells.ts";
import type { Workbook } from "./workbook.ts";
import { decodeEscapes } from "./workbook.ts";

interface Cell {
  type: string;
  style: number;
  text: string;
}

/** The rows of a worksheet that hold text, as Excel shows them, except that numbers without a format keep all their digits. */
export function* readRows(xml: string, workbook: Workbook): Generator<string[], void, undefined> {
  const merged = new MergedCells(xml);
  let row: string[] = [];
  let rowNumber = 0;
  let cell: Cell | undefined;
  let isValue = false;
  for (const token of scanXml(xml)) {
    if (token.type === "text") {
      if (isValue && cell !== undefined) cell.text += token.text;
      continue;
    }
    const opens = token.type === "open";
    if (token.name === "row" && token.type === "open") {
      row = [];
      rowNumber = Number(getAttribute(token.attributes, "r") ?? rowNumber + 1);
    } else if (token.name === "row" && row.some((text) => text.trim() !== "")) {
      merged.fill(row, rowNumber);
      yield trimRow(row);
    } else if (token.name === "c" && token.type === "open") {
      const { attributes } = token;
      padToColumn(row, parseReference(getAttribute(attributes, "r") ?? "")?.column ?? 0);
      cell = {
        type: getAttribute(attributes, "t") ?? "n",
        style: Number(getAttribute(attributes, "s") ?? 0),
        text: "",
      };
    } else if (token.name === "c") {
      if (cell !== undefined) row.push(formatCell(cell, workbook));
      cell = undefined;
    } else if (token.name === "v" || token.name === "t") isValue = opens;
    // Excel shows neither formulas nor phonetic guides.
    else if (token.name === "f" || token.name === "rPh") isValue = false;
  }
}

function formatCell({ type, style, text }: Cell, workbook: Workbook): string {
  switch (type) {
    case "s":
      return workbook.sharedStrings[Number(text)] ?? "";
    case "b":
      return text.trim() === "1" ? "TRUE" : "FALSE";
    case "n": {
      const number = Number(text);
      if (text.trim() === "" || !Number.isFinite(number)) return text.trim();
      // 0.1 may be stored as 0.10000000000000001.
      return workbook.formats[style]?.(number) ?? String(number);
    }
    case "d":
      return text.trim().replace(/T00:00:00(\.0+)?Z?$/, "");
    default:
      return decodeEscapes(text);
  }
}
