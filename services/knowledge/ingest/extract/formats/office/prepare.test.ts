import { docxOfXml, epub, zip } from "@agent-backends/testing";
import { describe, expect, it } from "vitest";
import { extractFile } from "../../extract.ts";

const word = (body: string) =>
  docxOfXml(
    `<w:document xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body>${body}</w:body></w:document>`,
  );
const paragraph = (text: string, properties = "") =>
  `<w:p w:rsidR="1"><w:pPr>${properties}</w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`;
const extractText = async (bytes: Uint8Array) => (await extractFile({ bytes })).text;

describe("Word documents", () => {
  it("give the words of phonetic guides, without the guides", async () => {
    const ruby = (guide: string, base: string) =>
      `<w:r><w:ruby><w:rubyPr/><w:rt><w:r><w:t>${guide}</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>${base}</w:t></w:r></w:rubyBase></w:ruby></w:r>`;
    const bytes = word(`<w:p>${ruby("とうきょう", "東京")}<w:r><w:t>と</w:t></w:r>${ruby("おおさか", "大阪")}</w:p>`);
    expect(await extractText(bytes)).toBe("東京と大阪");
  });

  it("join a drop cap to its word", async () => {
    const bytes = word(
      paragraph("O", '<w:keepNext/><w:framePr w:dropCap="drop" w:lines="3"/>') +
        paragraph("nce upon a time.") +
        paragraph("B", '<w:framePr w:dropCap="drop"/>') +
        "<w:tbl><w:tr><w:tc><w:p><w:r><w:t>cell</w:t></w:r></w:p></w:tc></w:tr></w:tbl>" +
        "<w:p/>",
    );
    expect(await extractText(bytes)).toBe("Once upon a time.\n\nB\n\n| cell |\n| --- |");
  });

  it("join paragraphs whose mark was deleted, as an accepted change does", async () => {
    const deleted = '<w:rPr><w:ins w:id="1" w:author="A"/><w:del w:id="2" w:author="A"/></w:rPr>';
    const changed = '<w:pPrChange w:id="3"><w:pPr><w:jc w:val="left"/></w:pPr></w:pPrChange>';
    const bytes = word(
      paragraph("The contract ", deleted + changed) +
        paragraph("ends ", deleted) +
        paragraph("in May.") +
        paragraph("It renews.", "<w:rPr><w:b/></w:rPr>"),
    );
    expect(await extractText(bytes)).toBe("The contract ends in May.\n\nIt renews.");
  });
});

describe("PowerPoint presentations", () => {
  const names =
    'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"';
  const body = (text: string) => `<a:p><a:r><a:t>${text}</a:t></a:r></a:p>`;
  const cell = (text: string, attributes = "") =>
    `<a:tc${attributes}><a:txBody>${text === "" ? "<a:p/>" : body(text)}</a:txBody><a:tcPr/></a:tc>`;
  const row = (...cells: string[]) => `<a:tr h="1">${cells.join("")}</a:tr>`;
  const shape = (type: string, text: string) =>
    `<p:sp><p:nvSpPr><p:cNvPr id="1" name="x"/><p:cNvSpPr/><p:nvPr><p:ph type="${type}" idx="1"/></p:nvPr></p:nvSpPr><p:txBody>${body(text)}</p:txBody></p:sp>`;
  const presentation = (slide: string, notes: string) =>
    zip([
      { name: "[Content_Types].xml", content: "<Types/>" },
      { name: "ppt/presentation.xml", content: `<p:presentation ${names}/>` },
      {
        name: "ppt/slides/slide1.xml",
        content: `<p:sld ${names}><p:cSld><p:spTree>${slide}</p:spTree></p:cSld></p:sld>`,
      },
      {
        name: "ppt/slides/_rels/slide1.xml.rels",
        content:
          '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/notesSlide" Target="../notesSlides/notesSlide1.xml"/></Relationships>',
      },
      {
        name: "ppt/notesSlides/notesSlide1.xml",
        content: `<p:notes ${names}><p:cSld><p:spTree>${notes}</p:spTree></p:cSld></p:notes>`,
      },
    ]);

  it("repeat merged cells, give arrows, and leave out soft hyphens, and header and footer of the notes' pages", async () => {
    const table = [
      row(cell("Pl\u00adan", ' rowSpan="2"'), cell("Price", ' gridSpan="2"'), cell("", ' hMerge="1"')),
      row(cell("", ' vMerge="1"'), cell("net \uf0e0"), cell("gross")),
      row(cell("Pro"), cell("10"), cell("12")),
    ].join("");
    const frame = `<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="2" name="t"/><p:cNvGraphicFramePr/><p:nvPr/></p:nvGraphicFramePr><a:graphic><a:graphicData uri="http://schemas.openxmlformats.org/drawingml/2006/table"><a:tbl>${table}</a:tbl></a:graphicData></a:graphic></p:graphicFrame>`;
    const notes = shape("body", "Speak up.") + shape("hdr", "ACME") + shape("ftr", "Secret") + shape("dt", "May 2026");
    expect(await extractText(presentation(frame, notes))).toBe(
      "| Plan | Price net → | Price gross |\n| --- | --- | --- |\n| Pro | 10 | 12 |\n\nSpeak up.",
    );
  });
});

describe("formulas", () => {
  it("have no commands that run into the next letter", async () => {
    const spaces = ["office", "text", "draw:drawing"].map((names) => {
      const [prefix, name = prefix] = names.split(":");
      return `xmlns:${prefix}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`;
    });
    const frame = '<draw:frame><draw:object xlink:href="./Object 1"/></draw:frame>';
    const bytes = zip([
      { name: "mimetype", content: "application/vnd.oasis.opendocument.text" },
      {
        name: "content.xml",
        content: `<office:document-content ${spaces.join(" ")} xmlns:xlink="http://www.w3.org/1999/xlink"><office:body><office:text><text:p>${frame}</text:p></office:text></office:body></office:document-content>`,
      },
      {
        name: "Object 1/content.xml",
        content:
          '<math xmlns="http://www.w3.org/1998/Math/MathML"><semantics><mrow><mi>E</mi><mo>=</mo><mi>m</mi><mo stretchy="false">⋅</mo><msup><mi>c</mi><mn>2</mn></msup></mrow></semantics></math>',
      },
    ]);
    expect(await extractText(bytes)).toBe("E=m⋅c^2");
  });

  it("have a space before the only letter of a fraction", async () => {
    const part = (name: string, text: string) => `<m:${name}><m:r><m:t>${text}</m:t></m:r></m:${name}>`;
    const formula = `<m:oMath xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"><m:f>${part("num", "x")}${part("den", "2")}</m:f></m:oMath>`;
    expect(await extractText(word(`<w:p>${formula}</w:p>`))).toBe("\\frac x2");
  });

  it("are on one line, however their markup is indented", async () => {
    const math =
      "<p>So <math xmlns='http://www.w3.org/1998/Math/MathML'>\n  <mrow>\n\t<mi>a</mi>\n\t<mo>=</mo>\n\t<mi>b</mi>\n  </mrow>\n</math>.</p>";
    expect(await extractText(epub("Book", [math]))).toBe("So a = b.");
  });
});

it("an EPUB book leaves out what its pages hide", async () => {
  const page = `<h1>Tea</h1><p>Shown <span style="display: none">secret</span><b hidden="hidden">secret</b>
    <i style="color: red">red</i></p><div class="x" style='visibility:hidden'><p>secret</p></div>
    <p hidden="until-found">found</p><p aria-hidden="true">secret</p>`;
  expect((await extractText(epub("Book", [page]))).split(/\s+/).join(" ")).toBe("# Tea Shown red found");
});
