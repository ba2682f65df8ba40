import { getAttribute } from "../scan-xml.ts";

/** Repeats merged cells in every cell that they span, and removes header, footer and date of the notes' pages. */
export function rewriteSlide(xml: string, name: string): string {
  return /notesSlide/i.test(name) ? withoutPageFurniture(xml) : repeatMergedCells(xml);
}

function withoutPageFurniture(xml: string): string {
  const [before = "", ...shapes] = xml.split("<p:sp>");
  const shown = shapes.map((shape) => {
    const end = shape.indexOf("</p:sp>");
    const isFurniture = /<p:ph\s[^<>]*\btype="(?:hdr|ftr|dt)"/.test(shape.slice(0, Math.max(0, end)));
    return isFurniture ? shape.slice(end + "</p:sp>".length) : `<p:sp>${shape}`;
  });
  return before + shown.join("");
}

/** Copies the content of merged cells (ECMA-376 part 1, 21.1.3.16), because officeparser doesn't report what they span. */
function repeatMergedCells(xml: string): string {
  if (!/<a:tc\s[^<>]*[hv]Merge=/.test(xml)) return xml;
  // Copies may only double the file, so that a hostile one can't fill memory.
  let charactersLeft = xml.length;
  let above: string[] = [];
  let row: string[] = [];
  const cells = xml.split("</a:tc>").map((part) => {
    const [start = "", attributes = ""] = /<a:tc((?:\s[^<>]*)?)>/.exec(part) ?? [];
    if (start === "") return part;
    const open = part.indexOf(start) + start.length;
    if (/<a:tr[\s>]/.test(part.slice(0, open))) {
      above = /<a:tbl>/.test(part.slice(0, open)) ? [] : row;
      row = [];
    }
    const isMerged = (name: string) => /^(?:1|true)$/.test(getAttribute(attributes, name) ?? "");
    const spanning = isMerged("hMerge") ? row.at(-1) : isMerged("vMerge") ? above[row.length] : undefined;
    charactersLeft -= spanning?.length ?? 0;
    const content = spanning === undefined || charactersLeft < 0 ? part.slice(open) : spanning;
    row.push(content);
    return part.slice(0, open) + content;
  });
  return cells.join("</a:tc>");
}
