import type { ExtractedText, ExtractionInput, ExtractionLimits } from "../../document.ts";
import { ExtractionError, parseTitle, requireTextWithinLimit } from "../../document.ts";
import { TextBuilder } from "../../text-builder.ts";
import { refuseDocumentTypes } from "../document-types.ts";
import { scanXml } from "../scan-xml.ts";
import { splitTables } from "../split-tables.ts";
import { toTableLines } from "../tables.ts";
import { readRows } from "./sheet-rows.ts";
import { Package, readWorkbook } from "./workbook.ts";

/** The text of an Excel workbook: each sheet, in tab order, as a Markdown table followed by the text of its text boxes. */
export function extractWorkbook(input: ExtractionInput, limits: ExtractionLimits): ExtractedText {
  refuseDocumentTypes(input.bytes);
  const parts = new Package(input.bytes);
  const workbook = readWorkbook(parts);
  const builder = new TextBuilder();
  const drawings = new Set<string>();
  for (const { name, path } of workbook.sheets) {
    const lines: string[] = [];
    let length = 0;
    const xml = parts.read(path) ?? "";
    const relations = [...parts.readRelations(path).values()];
    const tables = relations.filter(({ type }) => type === "table").map((table) => parts.read(table.path) ?? "");
    const isFiltered = [xml, ...tables].some((part) => /<(?:\w+:)?filterColumn[\s>]/.test(part));
    for (const line of toTableLines(splitTables(readRows(xml, workbook, isFiltered)))) {
      lines.push(line);
      length += line.length;
      requireTextWithinLimit(builder.length + length, limits);
    }
    builder.add(lines.join("\n"), { sheet: name });
    for (const { type, path: drawing } of relations) {
      if (type !== "drawing" || drawings.has(drawing)) continue;
      drawings.add(drawing);
      builder.add(readDrawing(parts.read(drawing) ?? ""), { sheet: name });
    }
  }
  const { text, marks } = builder.build();
  if (text === "") throw new ExtractionError("no_text", "The Excel workbook holds no text.");
  return { text, title: parseTitle(workbook.title), marks };
}

/** The paragraphs of a drawing's shapes (DrawingML, ECMA-376 part 1, 21.1.2). */
function readDrawing(xml: string): string {
  let words = "";
  let isText = false;
  for (const token of scanXml(xml)) {
    if (token.type === "text") words += isText ? token.text : "";
    else if (token.name === "t") isText = token.type === "open";
    else if (token.name === "p" && token.type === "close") words += "\n";
  }
  return words;
}
