import { xlsx, zip } from "@agent-backends/testing";
import { describe, expect, it } from "vitest";
import { useFileInputs } from "../../tests/ingest/file-inputs.ts";
import { readDocument } from "../read-document.ts";
import { defaultExtractionLimits } from "./extract.ts";
import { appendLinks } from "./formats/markdown-parts.ts";
import { prepareOffice } from "./formats/office/prepare.ts";

const fileInput = useFileInputs();

/** A workbook of one or more sheets that all are in one part. */
function workbook(sheetXml: string, options: { sheets?: number; formatCode?: string } = {}): Uint8Array {
  const { sheets = 1, formatCode = "0" } = options;
  return zip([
    { name: "[Content_Types].xml", content: "<Types/>" },
    {
      name: "xl/workbook.xml",
      content: `<workbook><sheets>${'<sheet name="a" r:id="1"/>'.repeat(sheets)}</sheets></workbook>`,
    },
    {
      name: "xl/_rels/workbook.xml.rels",
      content:
        '<Relationships><Relationship Id="1" Type="a/worksheet" Target="a.xml"/>' +
        '<Relationship Id="2" Type="a/styles" Target="b.xml"/></Relationships>',
    },
    {
      name: "xl/b.xml",
      content: `<styleSheet><numFmt numFmtId="200" formatCode="${formatCode}"/><cellXfs><xf numFmtId="200"/></cellXfs></styleSheet>`,
    },
    { name: "xl/a.xml", content: `<worksheet>${sheetXml}</worksheet>` },
  ]);
}

const cell = '<row><c s="0"><v>1</v></c></row>';

/** Each takes milliseconds when its reader's time grows with its size, and hours when it grows with the square of it. */
const files: [what: string, name: string, content: () => Uint8Array][] = [
  ["an attribute's name without an end", "a.xlsx", () => workbook(`${cell}<c ${"a".repeat(3_000_000)}/>`)],
  ["an attribute and white space without an end", "a.xlsx", () => workbook(`${cell}<c a${" ".repeat(3_000_000)}/>`)],
  ["a tag of a million attributes", "a.xlsx", () => workbook(`${cell}<c ${'a="" '.repeat(1_000_000)}/>`)],
  ["a format's code without an end", "a.xlsx", () => workbook(cell, { formatCode: "[".repeat(3_000_000) })],
  [
    "thousands of sheets in one part",
    "a.xlsx",
    () => workbook(`${"<row/>".repeat(500_000)}${cell}`, { sheets: 20_000 }),
  ],
];

describe("a file that is made to take long", () => {
  it.each(files)("is read in time by its size: %s", async (_what, filename, content) => {
    const document = await readDocument(fileInput(content(), filename), defaultExtractionLimits);
    expect(document.hash).toBe((await readDocument(fileInput(xlsx({ a: [["1"]] })), defaultExtractionLimits)).hash);
  });
});

it("a document whose parts share their content can't fill memory", async () => {
  const part = { name: "word/document.xml", content: `<w:vanish/>${"x".repeat(1_000_000)}` };
  const bytes = Buffer.from(
    zip([part, ...Array.from({ length: 5_000 }, (_, index) => ({ name: `${index}`, content: "" }))]),
  );
  // Each entry of the directory points to the first one's content.
  const first = bytes.indexOf("PK\x01\x02", 0, "latin1");
  for (let at = first; at >= 0; at = bytes.indexOf("PK\x01\x02", at + 4, "latin1")) {
    bytes.copy(bytes, at + 20, first + 20, first + 28);
    bytes.writeUInt32LE(0, at + 42);
  }
  expect(() => prepareOffice(bytes, "docx")).toThrow("damaged");
});

it("a paragraph with a hundred thousand links is its words alone", () => {
  const words = "word ".repeat(500_000);
  expect(appendLinks(words, Array(200_000).fill({ text: "word", url: "http://a.example/" }))).toBe(words);
});
